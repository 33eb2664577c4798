package import TenureCore
package import TenureSelling
import TenureServerKit
package import TenureStore

/// A tenant's source of payments. All its settings are encrypted, because they contain secrets.
package struct PaymentSourceRow: Sendable, Hashable {
    package let tenant: TenantID
    /// The source's id in the catalog.
    package let name: SourceID
    /// The source as JSON, encrypted under the master key.
    package let sealed: [UInt8]

    package init(tenant: TenantID, name: SourceID, sealed: [UInt8]) {
        self.tenant = tenant
        self.name = name
        self.sealed = sealed
    }
}

extension PaymentSourceRow: Stored {
    package static let table = Table<PaymentSourceRow>(
        "payment_sources", key: ["tenant", "source"],
        [Field("tenant") { $0.tenant }, Field("source") { $0.name }, Field("sealed") { $0.sealed }],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        PaymentSourceRow(tenant: try row.next(), name: try row.next(), sealed: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}

extension PaymentSourceRow: SealedSettingsRow {
    package static let sealPurpose = "tenure payment source"

    package static func text(of name: SourceID) -> String { name.text }
}
