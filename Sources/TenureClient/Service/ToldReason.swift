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
    /// The numbers and dates behind it, as they are shown; nil for none, and in a record of an earlier program.
    package let evidence: [String: String]?

    package init(
        code: String, message: String, cure: String? = nil, changesAt: Moment? = nil, evidence: [String: String]? = nil
    ) {
        self.code = code
        self.message = message
        self.cure = cure
        self.changesAt = changesAt
        self.evidence = evidence
    }
}
