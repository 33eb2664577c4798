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
