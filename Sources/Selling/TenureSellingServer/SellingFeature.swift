import TenureCommandLine
import TenureCore
package import TenureServerKit
import TenureStore

extension Feature {
    /// The server's feature for selling: a payment issues a license, and a refund suspends or revokes it.
    package static let selling: Feature = {
        var feature = Feature("selling")
        feature.tables = [
            PaymentSourceRow.kept(by: PaymentSourceRow.ofTenant),
            PaymentMessage.kept(
                by: PaymentMessage.byMessage, PaymentMessage.ofTenant, PaymentMessage.inState, PaymentMessage.byChange,
                PaymentMessage.ofOrder, PaymentMessage.ofSource),
            PaymentMessageBody.kept(by: PaymentMessageBody.byAge),
            PaymentCustomerRow.kept(by: PaymentCustomerRow.byChange),
            OrderRow.kept(
                by: OrderRow.byReference, OrderRow.ofTenant, OrderRow.ofHolderEmail, OrderRow.ofSource,
                OrderRow.ofCustomer, OrderRow.named),
            OrderNameRow.kept(by: OrderNameRow.ofOrder), OrderFactRow.kept(by: OrderFactRow.ofOrder),
            OrderLicenseRow.kept(by: OrderLicenseRow.ofOrder, OrderLicenseRow.ofLicense),
        ]
        feature.catalog = CatalogMember(opening: PaymentSource.self)
        feature.section = .selling
        feature.requests = [Feature.Family("Requests about payments", Reason.Kind.payments)]
        feature.events = [Feature.Family("Orders", EventKind.selling)]
        feature.invariants = { inspection in RowInvariant.selling(inspection) }
        feature.restoredAsCopied = .selling
        feature.returnsAfterRestore = { store, master throws(ServerError) in
            try await SourcesWithLists.sentences(in: store, under: master)
        }
        feature.retention = RetentionRule.selling
        feature.attention = [.parkedMessages, .lateMessages, .unnamedPayments, .missedEvents, .failedCatchUps]
        feature.prepare = { installation, _ in
            let snapshot = try await installation.catalog().current
            for tenant in snapshot.catalog.tenants.keys.sorted() {
                for source in snapshot.paymentSources(of: tenant) {
                    try await installation.context.scheduleCatchUp(of: source, tenant)
                }
            }
        }
        feature.scopes = [
            TokenScope("intake:read", order: 40), TokenScope("intake:write", order: 41),
            TokenScope("intake:bodies", order: 42), TokenScope("orders:read", order: 43),
            TokenScope("orders:write", order: 44),
        ]
        feature.tags = [("selling", "Payments, and the orders that they pay for.")]
        feature.tenantPaths = ["intake", "messages", "orders"]
        feature.commands = { installations in
            [
                FeatureCommand(IntakeCommands.group(installations), in: .selling),
                FeatureCommand(OrderCommands.group(installations), in: .selling),
            ]
        }
        feature.open = { context in RunningFeature(selling: context) }
        return feature
    }()
}

extension RunningFeature {
    fileprivate init(selling context: ServerContext) {
        self.init()
        let selling = SellingContext(
            catalog: context.catalog, clock: context.clock, randomness: context.randomness,
            outbound: context.outbound)
        let shared = FeatureContext(store: context.store, clock: context.clock)
        endpoints =
            [ReceiveMessage(selling: selling, unsigned: UnsignedMessages(log: context.log)).endpoint]
            + MessageEndpoints(context: shared, catalog: context.catalog).endpoints
            + OrderEndpoints(context: shared, catalog: context.catalog, randomness: context.randomness).endpoints
        jobs = [
            ActOnMessage(selling: selling).kind, RetryMessages(selling: selling).kind,
            ReadEvents(selling: selling).kind,
        ]
    }
}

extension RetentionRule {
    /// Bodies are deleted 60 days after their arrival, and finished messages 400 days after their last change.
    fileprivate static var selling: [RetentionRule] {
        [
            RetentionRule(
                RetentionSweep(PaymentMessage.byChange), by: "changed_at", after: PaymentMessage.lifetime,
                where: [Comparison("state", .isOneOf(PaymentMessage.State.finished.map(\.storedValue)))]
            ) { $0.changedAt < $1 && PaymentMessage.State.finished.contains($0.state) },
            RetentionRule(
                RetentionSweep(PaymentMessageBody.byAge), by: "received_at", after: PaymentMessageBody.lifetime
            ) { $0.receivedAt < $1 },
            RetentionRule(
                RetentionSweep(PaymentCustomerRow.byChange), by: "changed_at", after: PaymentCustomerRow.lifetime
            ) { $0.changedAt < $1 },
        ]
    }
}

extension PaymentMessage.State {
    /// The states of messages that aren't acted on any more.
    fileprivate static let finished: [PaymentMessage.State] = [.done, .ignored]
}

extension Attention {
    /// Messages from payment providers that can't be acted on.
    static let parkedMessages = Attention(
        "parked_messages", subject: "payments",
        remedy:
            "Run `tenure intake list --tenant TENANT --state parked`, and `tenure intake show MESSAGE --tenant TENANT`, "
            + "which says what to do. Then run `tenure intake retry MESSAGE --tenant TENANT`.",
        sentence: { all, number in
            let reasons = all.details.sorted().joined(separator: ", ")
            return
                "\(number) messages from payment providers are parked (\(reasons)), the first since \(all.oldest.local)"
        },
        read: { store, _ throws(StoreError) in
            var items: [Item] = []
            let parked = try await store.list(
                Listing(PaymentMessage.inState, [.of(PaymentMessage.State.parked)], limit: most))
            for message in parked {
                items.add(message.tenant, since: message.changedAt, message.reason?.rawValue ?? "")
            }
            return items
        })
}

extension [RestoredAsCopied] {
    /// The tables of selling, all of which are restored as they are in the backup. Suspensions and revocations since
    /// the backup are applied to the licenses, which have an exclusion.
    static let selling: [RestoredAsCopied] = [
        .catalog(PaymentSourceRow.self),
        RestoredAsCopied(
            PaymentMessage.self, because: "A message that is sent or listed again has no effect beyond its facts."),
        RestoredAsCopied(PaymentMessageBody.self, because: "Only the message's job reads it, and it's removed by age."),
        RestoredAsCopied(PaymentCustomerRow.self, because: "It only names the buyer of a sale that is expected."),
        RestoredAsCopied(
            OrderRow.self, because: "It's computed from the order's facts; its licenses keep the stop of a refund."),
        RestoredAsCopied(
            OrderFactRow.self,
            because: "Facts since the backup come again if the provider lists or sends its events again."),
        RestoredAsCopied(OrderNameRow.self, because: "Names are only added, and name the same order again."),
        RestoredAsCopied(
            OrderLicenseRow.self, because: "Its ids are derived from the order, so they are the same again."),
    ]
}
