package import TenureCore
import TenureServerKit
package import TenureStore

/// A marketplace's secret for App Store Connect, encrypted with the master key.
package struct MarketplaceSecretRow: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// The secrets that sign notifications.
        case notifications
        /// The connection to App Store Connect's API.
        case connection
    }

    package let tenant: TenantID
    package let kind: Kind
    /// The secret as JSON, encrypted.
    package let sealed: [UInt8]

    package init(tenant: TenantID, kind: Kind, sealed: [UInt8]) {
        self.tenant = tenant
        self.kind = kind
        self.sealed = sealed
    }
}

extension MarketplaceSecretRow: Stored {
    package static let table = Table<MarketplaceSecretRow>(
        "marketplace_secrets", key: ["tenant", "kind"],
        [Field("tenant") { $0.tenant }, Field("kind") { $0.kind }, Field("sealed") { $0.sealed }],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        MarketplaceSecretRow(tenant: try row.next(), kind: try row.next(), sealed: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}

extension MarketplaceSecretRow: SealedSettingsRow {
    package static let sealPurpose = "tenure marketplace secret"
    package var name: Kind { kind }

    package init(tenant: TenantID, name: Kind, sealed: [UInt8]) {
        self.init(tenant: tenant, kind: name, sealed: sealed)
    }
}
