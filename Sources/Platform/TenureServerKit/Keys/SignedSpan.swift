package import TenureCore
package import TenureStore

/// How long a signed document can be valid: whole days, or without end.
public struct SignedSpan: Sendable, Hashable, Comparable {
    /// Days of 86,400 s.
    ///
    /// A value of ``endless`` or more counts as no end.
    public let days: Int

    /// Creates a span of whole days.
    public init(days: Int) { self.days = days }

    /// No end.
    public static let endless = SignedSpan(days: 1 << 31)

    /// Compares by length.
    public static func < (one: SignedSpan, other: SignedSpan) -> Bool { one.days < other.days }

    /// When everything signed up to a moment has expired; `nil` for never.
    package func end(signedUntil moment: Timestamp) -> Timestamp? {
        // Clients tolerate this much clock skew (design §4).
        self < .endless ? moment.adding(days: days).adding(seconds: 300) : nil
    }
}

extension Tenant {
    /// The longest validity of anything signed now: leases, product configurations and content grants.
    package var signedSpan: SignedSpan {
        let leases = products.values.flatMap { $0.policies.values.map { SignedSpan(days: $0.leaseDays) } }
        let grants = contents?.policies.values.map { policy in
            policy.expiresAfterDays.map { SignedSpan(days: $0) } ?? .endless
        }
        return (leases + (grants ?? [])).reduce(SignedSpan(days: Product.configurationDays), max)
    }
}

extension Product {
    /// How long a signed product configuration is valid, in days.
    package static let configurationDays = 30
}

extension SigningKeyRecord {
    /// Returns the key with a span that also covers these tenants' policies; `nil` if it needs no change.
    package func covering(_ tenants: [Tenant]) -> SigningKeyRecord? {
        let longest = tenants.map(\.signedSpan).max().map { max($0, span ?? $0) } ?? span
        guard longest != span else { return nil }
        var key = self
        key.span = longest
        return key
    }
}

extension Migration {
    /// Adds the longest validity of anything a key has signed; it's unknown for older keys.
    package static let signedSpans = Migration(
        "0020-signed-spans", [.column(Column("span_days", .integer, isNullable: true), of: "signing_keys")])
}
