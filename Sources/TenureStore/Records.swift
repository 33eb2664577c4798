public import TenureCore

/// What a validation needs to see.
public struct ValidationRecord: Sendable {
    /// The catalog's version at the moment of the look.
    public var catalogVersion: Int64
    /// The license of that key in that product; nil when there is none.
    public var license: License?
    /// The activation of that name, whichever license it belongs to; nil when there is none.
    public var activation: Activation?

    /// Puts it together.
    public init(catalogVersion: Int64, license: License?, activation: Activation?) {
        self.catalogVersion = catalogVersion
        self.license = license
        self.activation = activation
    }
}

/// An event with its place in the order of all.
public struct EventRecord: Sendable, Hashable {
    /// Its sequence number: later events have higher ones, not every number is used.
    public let sequence: Int64
    /// The event.
    public let event: Event

    /// Pairs the two.
    public init(sequence: Int64, event: Event) {
        self.sequence = sequence
        self.event = event
    }
}

/// A tenant's lease-signing key as it is stored: the private half sealed under the master key.
public struct SigningKeyRecord: Sendable, Hashable {
    /// What a key is used for.
    public enum Standing: String, Sendable, Hashable, CaseIterable {
        /// Signs, and is published.
        case primary
        /// Published until the leases it signed have lapsed; signs nothing.
        case retiring
        /// Neither published nor used.
        case retired
    }

    /// Whose key it is.
    public let tenant: TenantID
    /// Its name, unique in the tenant.
    public let kid: String
    /// What it is used for now.
    public var standing: Standing
    /// The raw public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The private seed, sealed.
    public let sealedSeed: [UInt8]
    /// When it was made.
    public let createdAt: Timestamp
    /// When a retiring key stops being published; nil for others.
    public var publishedUntil: Timestamp?

    /// Puts a record together.
    public init(
        tenant: TenantID, kid: String, standing: Standing, publicKey: [UInt8], sealedSeed: [UInt8],
        createdAt: Timestamp, publishedUntil: Timestamp?
    ) {
        self.tenant = tenant
        self.kid = kid
        self.standing = standing
        self.publicKey = publicKey
        self.sealedSeed = sealedSeed
        self.createdAt = createdAt
        self.publishedUntil = publishedUntil
    }
}

/// An operator's token as it is stored: its hash, never its text.
public struct TokenRecord: Sendable, Hashable {
    /// Its name for revoking it, such as `tok_...`; public.
    public let id: String
    /// The tenant it acts for.
    public let tenant: TenantID
    /// What its maker called it.
    public let name: String
    /// What it may do, sorted; a scope is printable ASCII without a space.
    public let scopes: [String]
    /// SHA-256 of the token's text.
    public let hash: Digest
    /// When it was made.
    public let createdAt: Timestamp
    /// When it stops working; nil for never.
    public let expiresAt: Timestamp?
    /// When it was revoked; nil while it works.
    public var revokedAt: Timestamp?

    /// Puts a record together.
    public init(
        id: String, tenant: TenantID, name: String, scopes: [String], hash: Digest, createdAt: Timestamp,
        expiresAt: Timestamp?, revokedAt: Timestamp?
    ) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.scopes = scopes
        self.hash = hash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }
}

/// How much is stored.
public struct Census: Sendable, Hashable {
    /// Licenses by recorded state.
    public var licenses: [License.State: Int]
    /// Seats taken now.
    public var liveActivations: Int
    /// The sequence number of the latest event; 0 when there is none.
    public var latestEvent: Int64

    /// Puts it together.
    public init(licenses: [License.State: Int], liveActivations: Int, latestEvent: Int64) {
        self.licenses = licenses
        self.liveActivations = liveActivations
        self.latestEvent = latestEvent
    }
}
