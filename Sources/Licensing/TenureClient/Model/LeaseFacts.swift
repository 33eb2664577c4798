package import TenureCore

/// The contents of a verified lease, in the same form for both dialects.
package struct LeaseFacts: Sendable, Hashable, Codable {
    /// A named capability that the lease grants.
    package struct Grant: Sendable, Hashable, Codable {
        /// The name, such as `sync`.
        package let name: String
        /// The value, such as `25`; `nil` if the capability has none.
        package let value: String?
        /// The first second at which the capability is no longer granted; `nil` if it lasts as long as the lease.
        package let end: Moment?

        /// The stored names; never change them.
        private enum CodingKeys: String, CodingKey {
            case name = "name"
            case value = "value"
            case end = "end"
        }

        package init(_ name: String, value: String? = nil, end: Moment? = nil) {
            self.name = name
            self.value = value
            self.end = end
        }
    }

    package let status: Status
    /// The SHA-256 of the normalized license key, in lower-case hexadecimal digits.
    package let keyHash: String
    /// The id of the activation that the lease is for (Keylight: instance).
    package let activation: String
    /// The hash of the device that the lease is for; `nil` over Keylight, whose leases don't contain it.
    package let device: String?
    /// When the server signed the lease, by the server's clock.
    package let issuedAt: Moment
    /// The first moment at which the lease is no longer valid, before any skew allowance.
    package let expiresAt: Moment
    /// When the license's term ends; `nil` if it is perpetual or the dialect doesn't say.
    package let termEnd: Moment?
    /// The entitlements; over Keylight, empty unless the lease is active.
    package let entitlements: [Grant]
    /// The policy's id; `nil` over Keylight.
    package let policy: String?
    /// The policy's display name; `nil` if the server doesn't send it.
    package let policyName: String?
    /// The license's owner; `nil` if the vendor doesn't disclose it.
    package let holder: String?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case status = "status"
        case keyHash = "keyHash"
        case activation = "activation"
        case device = "device"
        case issuedAt = "issuedAt"
        case expiresAt = "expiresAt"
        case termEnd = "termEnd"
        case entitlements = "entitlements"
        case policy = "policy"
        case policyName = "policyName"
        case holder = "holder"
    }

    package enum Status: String, Sendable, Hashable, Codable, CaseIterable {
        /// Everything that the license includes.
        case active = "active"
        /// The reduced mode of a paying customer whose license has expired.
        case fallback = "fallback"
        /// Nothing: the lease is a signed refusal.
        case expired = "expired"
    }

    /// Creates the contents of a lease; only code that has verified the lease should do so.
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

/// A point in time, stored as whole seconds since 1970-01-01T00:00:00Z.
package struct Moment: Sendable, Hashable, Comparable, Codable {
    package let timestamp: Timestamp

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
