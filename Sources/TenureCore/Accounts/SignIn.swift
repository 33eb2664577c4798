/// One sign-in of an app at a marketplace: what the app shows instead of a person's password, from the code that it is
/// given for to the last token.
///
/// All its texts have a beginning in common, under whose digest it is found; of each text the digest alone is kept. So a used
/// one is recognised however old it is, and two that come at once meet in one row.
public struct SignIn: Sendable, Hashable {
    /// How the person, or somebody in the person's name, proved who it is.
    public enum Means: String, Sendable, Hashable, CaseIterable {
        /// By the account's password.
        case password
        /// By a one-time link.
        case link
        /// At the shop's own page, whose backend said so.
        case shop
        /// By what the vendor gave the app at its installation.
        case handoff
    }

    /// What is shown next.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The link that leads the browser back from the shop.
        case link
        /// The code that the app changes for tokens.
        case code
        /// The token from the installation that the app changes for its own.
        case handoff
        /// The newest refresh token.
        case open
    }

    /// Something that an access token is recognised by.
    public struct Access: Sendable, Hashable {
        /// The digest of its text.
        public let digest: Digest
        /// When it was made.
        public let madeAt: Timestamp

        /// States it.
        public init(digest: Digest, madeAt: Timestamp) {
            self.digest = digest
            self.madeAt = madeAt
        }
    }

    /// What an app is bound to from the code on, or from the handoff's exchange: digests and the place it is sent back to.
    public struct Binding: Sendable, Hashable {
        /// Of the app's `client_id` behind the beginning of this sign-in's texts: without one of them nobody can tell which.
        public let client: Digest
        /// The code challenge; nil where there was no code.
        public let challenge: Digest?
        /// Where the code was sent; nil where there was no code.
        public let redirect: String?

        /// States it.
        public init(client: Digest, challenge: Digest? = nil, redirect: String? = nil) {
            self.client = client
            self.challenge = challenge
            self.redirect = redirect
        }
    }

    /// The digest of what all its texts begin with.
    public let hash: Digest
    /// Whose it is.
    public let account: AccountRef
    /// How that was proved.
    public let means: Means
    /// What is shown next.
    public internal(set) var stage: Stage
    /// The digest of that.
    public internal(set) var secret: Digest
    /// The digest of the refresh token that was used last.
    public internal(set) var former: Digest?
    /// Its refresh tokens.
    public internal(set) var family: RefreshFamily
    /// The app; nil before it is known.
    public internal(set) var binding: Binding?
    /// The access token that was given last.
    public internal(set) var access: Access?
    /// The one before; it works to its end beside the last.
    public internal(set) var formerAccess: Access?
    /// When it began.
    public let createdAt: Timestamp
    /// Until when the next text can be shown.
    public internal(set) var expiresAt: Timestamp
    /// When it was ended; nil while nobody has.
    public internal(set) var endedAt: Timestamp?

    /// Puts one together from what a store holds. It decides nothing.
    public init(
        hash: Digest, account: AccountRef, means: Means, stage: Stage, secret: Digest, former: Digest? = nil,
        family: RefreshFamily = RefreshFamily(), binding: Binding? = nil, access: Access? = nil,
        formerAccess: Access? = nil, createdAt: Timestamp, expiresAt: Timestamp, endedAt: Timestamp? = nil
    ) {
        self.hash = hash
        self.account = account
        self.means = means
        self.stage = stage
        self.secret = secret
        self.former = former
        self.family = family
        self.binding = binding
        self.access = access
        self.formerAccess = formerAccess
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.endedAt = endedAt
    }

    /// Whether its next text can be shown.
    public func works(at now: Timestamp) -> Bool { endedAt == nil && now < expiresAt }

    /// How many of them are kept of one account; a further one takes the place of the oldest.
    public static let mostOfAccount = 50
}
