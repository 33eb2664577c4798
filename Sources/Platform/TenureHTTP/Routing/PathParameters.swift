/// The decoded values of a route pattern's parameters.
public struct PathParameters: Sendable, Hashable {
    /// The names in the order of the pattern, without braces.
    public let names: [String]

    /// The percent-decoded value of each name; never empty, `.` or `..`, and without slashes or control bytes.
    public let values: [String]

    /// Creates parameters from names and the same number of values.
    public init(names: [String] = [], values: [String] = []) {
        precondition(names.count == values.count, "each path parameter has one value")
        self.names = names
        self.values = values
    }

    /// The value of the parameter of that name; `nil` if the pattern doesn't have it.
    public subscript(name: String) -> String? {
        for index in names.indices where names[index] == name { return values[index] }
        return nil
    }
}

/// One segment of a route's pattern, between two slashes.
enum RouteSegment: Sendable, Hashable {
    case fixed([UInt8])
    case parameter(String)

    init(_ text: Substring, in pattern: String) {
        precondition(!text.isEmpty, "a route's pattern has no empty segment: \(pattern)")
        guard text.first == "{" else {
            self = .fixed(Array(text.utf8))
            return
        }
        precondition(text.last == "}" && text.count > 2, "a parameter is {name}: \(pattern)")
        self = .parameter(String(text.dropFirst().dropLast()))
    }
}
