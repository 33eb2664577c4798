package import TenureCore

/// What a verified lease says, whichever dialect it came over.
package struct LeaseFacts: Sendable, Hashable, Codable {
    /// A named capability as the lease gives it.
    package struct Grant: Sendable, Hashable, Codable {
        /// The capability, such as `sync`.
        package let name: String
        /// Its value, such as `25` of something; nil when it is only there or not.
        package let value: String?
        /// The first moment it no longer holds; nil when it holds as long as the lease.
        package let end: Moment?

        /// Names a capability.
        package init(_ name: String, value: String? = nil, end: Moment? = nil) {
            self.name = name
            self.value = value
            self.end = end
        }
    }

    /// What it permits.
    package let status: Status
    /// The SHA-256 of the license key's normal form, in lower-case hexadecimal digits.
    package let keyHash: String
    /// The activation (Keylight: instance) it is for.
    package let activation: String
    /// The device it is for; nil over Keylight, whose lease does not say.
    package let device: String?
    /// When the server signed it, by the server's clock.
    package let issuedAt: Moment
    /// The first moment it no longer holds, before any skew allowance.
    package let expiresAt: Moment
    /// When the license's term ends; nil when it is perpetual or the dialect does not say.
    package let termEnd: Moment?
    /// What it entitles to; empty unless active.
    package let entitlements: [Grant]
    /// The policy's id; nil over Keylight.
    package let policy: String?
    /// The policy's name for people; nil where the server does not say.
    package let policyName: String?
    /// Whom the license belongs to; nil where the vendor does not show it.
    package let holder: String?

    /// What a lease permits.
    package enum Status: String, Sendable, Hashable, Codable, CaseIterable {
        /// All that the license entitles to.
        case active
        /// The reduced mode of a lapsed paying holder.
        case fallback
        /// Nothing: a signed no.
        case expired
    }

    /// Puts the facts together; only what verifies a lease does.
    package init(
        status: Status, keyHash: String, activation: String, device: String? = nil, issuedAt: Moment,
        expiresAt: Moment, termEnd: Moment? = nil, entitlements: [Grant] = [], policy: String? = nil,
        policyName: String? = nil, holder: String? = nil
    ) {
        self.status = status
        self.keyHash = keyHash
        self.activation = activation
        self.device = device
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.termEnd = termEnd
        self.entitlements = entitlements
        self.policy = policy
        self.policyName = policyName
        self.holder = holder
    }
}

/// A moment as it is kept: whole seconds since 1970-01-01T00:00:00Z.
package struct Moment: Sendable, Hashable, Comparable, Codable {
    /// The moment.
    package let timestamp: Timestamp

    /// Keeps a moment.
    package init(_ timestamp: Timestamp) { self.timestamp = timestamp }

    package init(from decoder: any Decoder) throws {
        timestamp = Timestamp(seconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(timestamp.seconds)
    }

    package static func < (one: Moment, other: Moment) -> Bool { one.timestamp < other.timestamp }
}
