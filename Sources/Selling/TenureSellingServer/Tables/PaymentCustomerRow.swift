package import TenureCore
package import TenureSelling
import TenureServerKit
package import TenureStore

/// A provider's customer. The address is stored because a sale's message may not contain it.
package struct PaymentCustomerRow: Sendable, Hashable {
    package let tenant: TenantID
    package let source: SourceID
    package let customer: ProviderID
    package let email: String?
    package let name: String?
    /// The provider's time of the message that contained this address and name.
    package let changedAt: Timestamp

    package init(
        tenant: TenantID, source: SourceID, customer: ProviderID, email: String?, name: String?, changedAt: Timestamp
    ) {
        self.tenant = tenant
        self.source = source
        self.customer = customer
        self.email = email
        self.name = name
        self.changedAt = changedAt
    }
}

extension PaymentCustomerRow: Stored {
    /// The customers of all sources. A row is kept for ``lifetime`` after the last message about its customer.
    package static let table = Table<PaymentCustomerRow>(
        "payment_customers", key: ["tenant", "source", "customer"],
        [
            Field("tenant") { $0.tenant }, Field("source") { $0.source }, Field("customer") { $0.customer },
            Field("email", namesPerson: true) { $0.email }, Field("name", namesPerson: true) { $0.name },
            Field("changed_at") { $0.changedAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [TableIndex("by_change", "changed_at", "tenant", "source", "customer")]
    ) { row in
        PaymentCustomerRow(
            tenant: try row.next(), source: try row.next(), customer: try row.next(), email: try row.next(),
            name: try row.next(), changedAt: try row.next())
    }

    /// All customers, by the time of the last message about them.
    package static let byChange = table.set("by_change", order: [.up("changed_at")])

    /// How long a customer is kept, in seconds: 30 days, because the sale's message arrives soon afterwards.
    package static let lifetime: Int64 = 30 * 86_400
}
