public import TenureCore

/// The part of a tenant's configuration that this module adds.
struct TenantContents: TenantPart {
    var contents: ContentCatalog?

    /// The longest validity of a grant; endless if a policy sets none.
    var signedSpan: SignedSpan? {
        contents?.policies.values.map { $0.expiresAfterDays.map { SignedSpan(days: $0) } ?? .endless }.max()
    }
}

extension Tenant {
    /// The contents that can be licensed for offline use; `nil` if the tenant has no such contents.
    public var contents: ContentCatalog? {
        get { self[TenantContents.self].contents }
        _modify { yield &self[TenantContents.self].contents }
    }
}
