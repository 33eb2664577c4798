package import TenureCore
import TenureCrypto
package import TenureServerKit
package import TenureStore

/// What a marketplace has agreed with App Store Connect, sealed under the master key.
package struct MarketplaceSecretRow: Sendable, Hashable {
    /// What it is.
    package enum Kind: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// What notifications are signed with.
        case notifications
        /// What App Store Connect is asked with.
        case connection
    }

    /// Whose.
    package let tenant: TenantID
    /// What it is.
    package let kind: Kind
    /// All of it as JSON, sealed.
    package let sealed: [UInt8]

    /// Puts it together.
    package init(tenant: TenantID, kind: Kind, sealed: [UInt8]) {
        self.tenant = tenant
        self.kind = kind
        self.sealed = sealed
    }
}

extension MarketplaceSecretRow: Stored {
    /// Agreements with App Store Connect.
    package static let table = Table<MarketplaceSecretRow>(
        "marketplace_secrets", key: ["tenant", "kind"],
        [Field("tenant") { $0.tenant }, Field("kind") { $0.kind }, Field("sealed") { $0.sealed }],
        parents: [TenantRow.table.shape], changesAlone: true
    ) { row throws(StoreError) in
        MarketplaceSecretRow(tenant: try row.next(), kind: try row.next(), sealed: try row.next())
    }

    /// A tenant's.
    package static let ofTenant = table.set("of_tenant", "tenant")
}

extension MasterKey {
    /// Seals an agreement of a marketplace's. Throws ``ServerError``.
    package func seal(
        _ bytes: [UInt8], of tenant: TenantID, as kind: MarketplaceSecretRow.Kind
    ) throws(ServerError) -> MarketplaceSecretRow {
        do {
            let sealed = try seal(bytes, labelled: Self.label(tenant, kind))
            return MarketplaceSecretRow(tenant: tenant, kind: kind, sealed: sealed)
        } catch {
            throw ServerError(
                .crypto, "A secret of \(tenant)'s marketplace could not be sealed.", cause: error.code.text)
        }
    }

    /// Opens it. Throws ``ServerError``, `master_key_wrong`.
    package func open(_ row: MarketplaceSecretRow) throws(ServerError) -> [UInt8] {
        do {
            return try open(row.sealed, labelled: Self.label(row.tenant, row.kind))
        } catch {
            throw ServerError(
                .masterKeyWrong, "A secret of \(row.tenant)'s marketplace cannot be opened under this master key.",
                cause: error.code.text)
        }
    }

    private static func label(_ tenant: TenantID, _ kind: MarketplaceSecretRow.Kind) -> String {
        "tenure marketplace secret|\(tenant)|\(kind.rawValue)"
    }
}
