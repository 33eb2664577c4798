package import TenureCore
package import TenureSelling
import TenureServerKit
package import TenureStore

/// The stored summary of an order, for lists and look-ups.
///
/// It is computed from the order's facts (``OrderFactRow``) again whenever a fact is added.
package struct OrderRow: Sendable, Hashable {
    package let id: OrderID
    package let tenant: TenantID
    package let source: SourceID
    /// The provider's id of the order: of a subscription, or of the payment of a single purchase.
    package let reference: ProviderID
    package var kind: OrderKind
    package var state: Order.State
    /// Whether the order was paid with test money.
    package var isTest: Bool
    package var holderEmail: String?
    package var holderName: String?
    /// The provider's id of the buyer, who may change the address at the provider; `nil` if no message named it.
    package var customer: ProviderID?
    /// Until when a subscription is paid; `nil` for a single purchase.
    package var paidUntil: Timestamp?
    /// The license that the purchase renewed instead of issuing one; `nil` if the purchase issued licenses.
    package var renewedLicense: LicenseID?
    /// How many seconds the purchase added to that license; `nil` if it added none, or they were taken back.
    package var addedSeconds: Int64?
    package let createdAt: Timestamp
    package var changedAt: Timestamp

    package init(
        id: OrderID, tenant: TenantID, source: SourceID, reference: ProviderID, kind: OrderKind, state: Order.State,
        isTest: Bool, holderEmail: String?, holderName: String?, customer: ProviderID?, paidUntil: Timestamp?,
        renewedLicense: LicenseID? = nil, addedSeconds: Int64? = nil, createdAt: Timestamp, changedAt: Timestamp
    ) {
        self.id = id
        self.tenant = tenant
        self.source = source
        self.reference = reference
        self.kind = kind
        self.state = state
        self.isTest = isTest
        self.holderEmail = holderEmail
        self.holderName = holderName
        self.customer = customer
        self.paidUntil = paidUntil
        self.renewedLicense = renewedLicense
        self.addedSeconds = addedSeconds
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}

/// Distinguishes the ids of orders from other numbered ids at compile time.
package enum OrderTag: Numbered {
    package static let namePrefix = "ord_"
}

/// The id of an order, written as `ord_` and 13 digits.
package typealias OrderID = NumberedID<OrderTag>

extension OrderKind: StorableCode {}
extension Order.State: StorableCode {}

extension OrderRow: Stored {
    package static let table = Table<OrderRow>(
        "orders", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("source") { $0.source },
            Field("reference") { $0.reference }, Field("kind") { $0.kind }, Field("state") { $0.state },
            Field("is_test") { $0.isTest }, Field("holder_email", namesPerson: true) { $0.holderEmail },
            Field("holder_name", namesPerson: true) { $0.holderName }, Field("customer") { $0.customer },
            Field("paid_until") { $0.paidUntil }, Field("renewed_license") { $0.renewedLicense },
            Field("added_seconds") { $0.addedSeconds },
            Field("created_at") { $0.createdAt }, Field("changed_at") { $0.changedAt },
            .fold("holder_email_folded", namesPerson: true) { $0.holderEmail },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        uniques: [Unique("by_reference", "tenant", "source", "reference")],
        indexes: [
            TableIndex("by_tenant", "tenant", "created_at", "id"),
            TableIndex("by_holder_email", "tenant", "holder_email_folded", "created_at", "id"),
            TableIndex("by_name", "tenant", "reference", "id"),
            TableIndex("by_source", "tenant", "source", "is_test", "created_at", "id"),
            TableIndex("by_customer", "tenant", "source", "customer", "id"),
        ]
    ) { row in
        OrderRow(
            id: try row.next(), tenant: try row.next(), source: try row.next(), reference: try row.next(),
            kind: try row.next(), state: try row.next(), isTest: try row.next(), holderEmail: try row.next(),
            holderName: try row.next(), customer: try row.next(), paidUntil: try row.next(),
            renewedLicense: try row.next(), addedSeconds: try row.next(), createdAt: try row.next(),
            changedAt: try row.next())
    }

    /// A source's order, by the provider's reference.
    package static let byReference = table.unique("by_reference")
    /// A tenant's orders, newest first.
    package static let ofTenant = table.set("of_tenant", "tenant", order: [.down("created_at")])
    /// A tenant's orders of a buyer, by the address's fold, newest first.
    package static let ofHolderEmail = table.set(
        "of_holder_email", "tenant", "holder_email_folded", where: .isNotNull("holder_email_folded"),
        order: [.down("created_at")])
    /// A source's orders that were paid with real money, or with test money; newest first.
    package static let ofSource = table.set(
        "of_source", "tenant", "source", "is_test", order: [.down("created_at")])
    /// The orders of a source's customer.
    package static let ofCustomer = table.set(
        "of_customer", "tenant", "source", "customer", where: .isNotNull("customer"))
    /// A tenant's orders with a reference, whatever the source.
    package static let named = table.set("named", "tenant", "reference")
}
