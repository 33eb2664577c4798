/// A reason as a server told it.
package struct ToldReason: Sendable, Hashable, Codable {
    /// The stable code, such as `license_revoked`.
    package let code: String
    /// What happened, for people.
    package let message: String
    /// What would help, for people.
    package let cure: String?
    /// When it changes by itself.
    package let changesAt: Moment?

    package init(code: String, message: String, cure: String? = nil, changesAt: Moment? = nil) {
        self.code = code
        self.message = message
        self.cure = cure
        self.changesAt = changesAt
    }
}
