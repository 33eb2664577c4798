/// A person at a marketplace.
public struct Account: Sendable, Hashable {
    /// Its name on this server.
    public let ref: AccountRef

    /// Where the person can be written to; nil when nobody said.
    public var email: String?

    /// How the person's password is recognised, in libsodium's text form; nil when there is none.
    public var passwordHash: String?

    /// When it was made.
    public let createdAt: Timestamp

    /// Puts an account together.
    public init(ref: AccountRef, email: String? = nil, passwordHash: String? = nil, createdAt: Timestamp) {
        self.ref = ref
        self.email = email
        self.passwordHash = passwordHash
        self.createdAt = createdAt
    }
}
