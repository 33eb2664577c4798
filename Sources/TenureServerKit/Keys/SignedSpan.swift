package import TenureCore
package import TenureStore

/// How long something may hold that a key signs: whole days, or without end.
public struct SignedSpan: Sendable, Hashable, Comparable {
    /// Days of 86,400 s; a text that holds longer than any calendar counts as one without end.
    public let days: Int

    /// So many days.
    public init(days: Int) { self.days = days }

    /// Without end.
    public static let endless = SignedSpan(days: 1 << 31)

    /// Compares by length.
    public static func < (one: SignedSpan, other: SignedSpan) -> Bool { one.days < other.days }

    /// When everything has ended that was signed until a moment; nil for never.
    package func end(signedUntil moment: Timestamp) -> Timestamp? {
        // Clocks that differ by as much are tolerated (design §4).
        self < .endless ? moment.adding(days: days).adding(seconds: 300) : nil
    }
}

extension Tenant {
    /// The longest that anything may hold that is signed now: leases, what a product offers, and grants of contents.
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
    /// The key with a span that is no shorter than before and fits what these tenants' policies allow; nil where that is
    /// what it has already.
    package func covering(_ tenants: [Tenant]) -> SigningKeyRecord? {
        let longest = tenants.map(\.signedSpan).max().map { max($0, span ?? $0) } ?? span
        guard longest != span else { return nil }
        var key = self
        key.span = longest
        return key
    }
}

extension Migration {
    /// How long anything may hold that a key has signed; unknown for keys that signed before.
    package static let signedSpans = Migration(
        "0020-signed-spans", [.column(Column("span_days", .integer, isNullable: true), of: "signing_keys")])
}
