package import TenureCore
package import TenureStore

extension SigningKeyRecord {
    /// Returns the key with a span that covers the longest validity under these tenants' policies.
    ///
    /// Returns `nil` if the key's span needs no change.
    package func covering(_ tenants: [Tenant]) -> SigningKeyRecord? {
        let longest = tenants.map(\.signedSpan).max().map { max($0, span ?? $0) } ?? span
        guard longest != span else { return nil }
        var key = self
        key.span = longest
        return key
    }
}

extension Migration {
    /// Adds a column for the longest validity of anything that a key has signed; it's `NULL` for existing keys.
    package static let signedSpans = Migration(
        "0020-signed-spans", [.column(Column("span_days", .integer, isNullable: true), of: "signing_keys")])
}
