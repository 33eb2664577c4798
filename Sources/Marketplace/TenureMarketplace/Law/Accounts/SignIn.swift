public import TenureCore

/// An app's sign-in to a marketplace account, from the authorization code to the last token.
///
/// All codes and tokens of a sign-in share a prefix, and the prefix's digest is the record's key. Only digests are
/// stored. Therefore, a used token is recognized however old it is, and two concurrent requests compete for the same
/// row.
public struct SignIn: Sendable, Hashable {
    /// How the customer was authenticated.
    public enum Means: String, Sendable, Hashable, CaseIterable {
        /// The customer entered the account's password.
        case password
        /// The customer used a one-time link.
        case link
        /// The customer signed in on the shop's own page, and the shop's backend confirmed this.
        case shop
        /// The app presented the handoff token that the vendor gave it at its installation.
        case handoff
    }

    /// The step that the sign-in has reached, named after the secret that is presented next.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The link that leads the browser back from the shop.
        case link
        /// The authorization code that the app exchanges for tokens.
        case code
        /// The handoff token that the app exchanges for tokens.
        case handoff
        /// The newest refresh token; the app has already received tokens.
        case open
    }

    /// A stored access token, by its digest.
    public struct Access: Sendable, Hashable {
        /// The digest of the token.
        public let digest: Digest
        /// When the token was issued.
        public let madeAt: Timestamp

        /// Creates a value from its parts.
        public init(digest: Digest, madeAt: Timestamp) {
            self.digest = digest
            self.madeAt = madeAt
        }
    }

    /// The client that a sign-in is bound to, from the code or the handoff exchange on.
    public struct Binding: Sendable, Hashable {
        /// The digest of the sign-in's common prefix followed by the app's `client_id`.
        ///
        /// The prefix isn't stored, so the stored digests of two sign-ins don't reveal that they belong to the same
        /// client.
        public let client: Digest
        /// The PKCE code challenge; `nil` if there was no code.
        public let challenge: Digest?
        /// The redirect URI that the code was sent to; `nil` if there was no code.
        public let redirect: String?

        /// Creates a binding from its parts.
        public init(client: Digest, challenge: Digest? = nil, redirect: String? = nil) {
            self.client = client
            self.challenge = challenge
            self.redirect = redirect
        }
    }

    /// The digest of the prefix that all codes and tokens of the sign-in share.
    public let hash: Digest
    /// The account that the app is signed in to.
    public let account: AccountRef
    /// How the customer was authenticated when the sign-in began.
    public let means: Means
    /// The step that the sign-in has reached, which determines the kind of ``secret``.
    public internal(set) var stage: Stage
    /// The digest of the secret that is presented next.
    public internal(set) var secret: Digest
    /// The digest of the refresh token that was used last; `nil` if no refresh token was used.
    public internal(set) var former: Digest?
    /// The numbers and uses of the sign-in's refresh tokens.
    public internal(set) var family: RefreshFamily
    /// The client that may present the sign-in's secrets; `nil` until there is a code, or
    /// until a handoff token is exchanged.
    public internal(set) var binding: Binding?
    /// The access token that was issued last; `nil` before the first.
    public internal(set) var access: Access?
    /// The access token before ``access``, which works until it expires; `nil` if there isn't one.
    public internal(set) var formerAccess: Access?
    /// When the sign-in began.
    public let createdAt: Timestamp
    /// The first second at which the next secret can no longer be presented.
    public internal(set) var expiresAt: Timestamp
    /// When the sign-in was ended before it expired; `nil` if it wasn't.
    public package(set) var endedAt: Timestamp?

    /// Creates a sign-in from a stored record without checking any rule.
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

    /// Whether the next secret can still be presented.
    public func works(at now: Timestamp) -> Bool { endedAt == nil && now < expiresAt }

    /// How many sign-ins an account can have; a further one replaces the oldest.
    public static let mostOfAccount = 50
}
