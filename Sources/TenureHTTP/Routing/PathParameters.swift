/// The decoded values of the parameters in a route's pattern.
public struct PathParameters: Sendable, Hashable {
    /// The names, in the order of the pattern, without braces.
    public let names: [String]

    /// The values, percent-decoded, one for each name; never empty, `.`, `..`, nor holding a slash or a control byte.
    public let values: [String]

    /// Makes parameters of names and values of the same count.
    public init(names: [String] = [], values: [String] = []) {
        precondition(names.count == values.count, "each path parameter has one value")
        self.names = names
        self.values = values
    }

    /// Answers the value of the parameter of that name, or nil when the pattern has none.
    public subscript(name: String) -> String? {
        for index in names.indices where names[index] == name { return values[index] }
        return nil
    }
}

/// One part of a route's pattern, between two slashes.
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
