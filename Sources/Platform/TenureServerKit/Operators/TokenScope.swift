/// A permission of operator tokens.
package struct TokenScope: Sendable {
    /// The name, such as `licenses:read`.
    package let name: String
    /// Where help pages list it: those with smaller numbers come first.
    package let order: Int

    package init(_ name: String, order: Int) {
        self.name = name
        self.order = order
    }

    /// The scope for reading events, of whatever feature.
    static let events = TokenScope("events:read", order: 20)
}
