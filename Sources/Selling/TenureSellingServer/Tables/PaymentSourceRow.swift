package import TenureCore
package import TenureSelling
import TenureServerKit
package import TenureStore

/// A tenant's settings for a source of payments; its secrets are encrypted.
package struct PaymentSourceRow: Sendable, Hashable {
    package let tenant: TenantID
    /// The source's id in the catalog.
    package let source: SourceID
    /// The settings without secrets, as JSON.
    package let settings: String
    /// The signing secrets and the API key as JSON, encrypted under the master key.
    package let sealed: [UInt8]

    package init(tenant: TenantID, source: SourceID, settings: String, sealed: [UInt8]) {
        self.tenant = tenant
        self.source = source
        self.settings = settings
        self.sealed = sealed
    }
}

extension PaymentSourceRow: Stored {
    /// The sources of payments of all tenants.
    package static let table = Table<PaymentSourceRow>(
        "payment_sources", key: ["tenant", "source"],
        [
            Field("tenant") { $0.tenant }, Field("source") { $0.source }, Field("settings") { $0.settings },
            Field("sealed") { $0.sealed },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        PaymentSourceRow(
            tenant: try row.next(), source: try row.next(), settings: try row.next(), sealed: try row.next())
    }

    /// The sources of a tenant.
    package static let ofTenant = table.set("of_tenant", "tenant")
}

extension PaymentSourceRow: SealedRow {
    package static let sealedColumn = "sealed"
    package var sealedBytes: [UInt8]? { sealed }
    package var sealLabel: [UInt8] { Array("tenure payment source|\(tenant)|\(source)".utf8) }

    package func with(sealedBytes: [UInt8]) -> PaymentSourceRow {
        PaymentSourceRow(tenant: tenant, source: source, settings: settings, sealed: sealedBytes)
    }
}
