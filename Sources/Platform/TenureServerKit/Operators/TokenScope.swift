/// A permission of an operator token.
package struct TokenScope: Sendable {
    /// The name, such as `licenses:read`.
    package let name: String
    /// The position in help pages, which list scopes with smaller numbers first.
    package let order: Int

    package init(_ name: String, order: Int) {
        self.name = name
        self.order = order
    }

    /// The scope for reading the events of all features.
    static let events = TokenScope("events:read", order: 20)
}
