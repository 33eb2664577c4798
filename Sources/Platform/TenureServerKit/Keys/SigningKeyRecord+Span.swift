package import TenureCore

extension SigningKeyRecord {
    /// Returns the key with a span that covers the longest validity of anything that the features sign with the
    /// tenants' settings.
    ///
    /// Returns `nil` if the key's span doesn't change.
    package func covering(_ tenants: [Tenant]) -> SigningKeyRecord? {
        let longest = tenants.map(\.signedSpan).max().map { max($0, span ?? $0) } ?? span
        guard longest != span else { return nil }
        var key = self
        key.span = longest
        return key
    }
}
