import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureLicensing
import TenureSelling
import TenureServerKit
import TenureStore

/// The simulation that a command line requests.
struct SimulationRequest: Sendable {
    let occasion: SimulatedOrder.Occasion
    let item: String?
    let email: String?
    let reference: ProviderID?
}

/// Chooses the order and the messages of a simulation, and reads how the server handled them.
struct Simulation: Sendable {
    let source: PaymentSource
    let tenant: TenantID
    let context: FeatureContext
    let now: Timestamp
    private let name = SimulatedName(random: SecureRandom.bytes(8))

    init(source: PaymentSource, tenant: TenantID, context: FeatureContext, now: Timestamp) {
        self.source = source
        self.tenant = tenant
        self.context = context
        self.now = now
    }

    /// The price of each simulated sale and renewal.
    private static let price = Money(1_000, "eur")

    /// Returns the messages for a request, and the order that they are about.
    ///
    /// Throws `UsageError`, `CommandError` and `ServerError`.
    func messages(
        for request: SimulationRequest, under snapshot: CatalogSnapshot
    ) async throws -> (SimulatedOrder, [SimulatedMessage]) {
        let order =
            request.occasion == .sale
            ? try newOrder(request, under: snapshot) : try await storedOrder(request, under: snapshot)
        let messages =
            switch source.provider {
            case .stripe: StripeSimulation(named: name, at: now).messages(request.occasion, of: order)
            case .paddle: PaddleSimulation(named: name, at: now).messages(request.occasion, of: order)
            }
        guard !messages.isEmpty else {
            if request.occasion == .lost {
                throw CommandError("Paddle sends no message about a lost dispute: it stays open until it's won.")
            }
            throw CommandError(
                "The order \(order.reference) is a single purchase, which is neither renewed nor cancelled. Sell an item "
                    + "whose policy has a duration, or simulate a refund.")
        }
        return (order, messages)
    }

    private func newOrder(_ request: SimulationRequest, under snapshot: CatalogSnapshot) throws -> SimulatedOrder {
        guard let item = request.item, let email = request.email else {
            throw UsageError("a sale needs --item and --email")
        }
        guard EmailAddress.read(email) != nil else {
            throw UsageError("--email: enter an address such as ada@shop.example")
        }
        let duration = try length(of: item, under: snapshot)
        let sold = soldItem(item)
        let end = duration.map { now.adding($0) }
        return switch source.provider {
        case .stripe:
            StripeSimulation(named: name, at: now).order(
                of: sold, to: email, reference: request.reference, gross: Self.price, until: end)
        case .paddle:
            PaddleSimulation(named: name, at: now).order(
                of: sold, to: email, reference: request.reference, gross: Self.price, until: end)
        }
    }

    private func storedOrder(
        _ request: SimulationRequest, under snapshot: CatalogSnapshot
    ) async throws -> SimulatedOrder {
        let filter: OrderFilter
        switch (request.reference, request.email) {
        case (let reference?, _): filter = .reference(reference)
        case (nil, let email?): filter = .holderEmail(email)
        case (nil, nil): throw UsageError("name the order with --reference, or its buyer with --email")
        }
        let rows = try await context.orders(of: tenant, filter, from: source.id, limit: 1_000).rows
        guard let row = rows.first, let shown = try await context.order(row.id, of: tenant),
            let payment = shown.order.payments.last, let line = shown.order.lines.first
        else {
            throw CommandError(
                "The source \(source.id) has no such order. Run `tenure order list` to see the orders, or simulate a sale."
            )
        }
        var bill = payment.bill
        if request.occasion == .renewal, let end = shown.order.paidUntil {
            let next = try length(of: line.item, under: snapshot).map { end.adding($0) }
            bill =
                switch source.provider {
                case .stripe: StripeSimulation(named: name, at: now).bill(gross: Self.price, until: next)
                case .paddle: PaddleSimulation(named: name, at: now).bill(gross: Self.price, until: next)
                }
        }
        bill.periodEnd = bill.periodEnd ?? shown.order.paidUntil
        return SimulatedOrder(
            shown.order.kind, reference: row.reference, customer: shown.order.customer ?? row.reference,
            email: row.holderEmail ?? "", item: soldItem(line.item), bill: bill)
    }

    /// The duration of the policy under which an item is sold; `nil` for a perpetual license.
    private func length(of item: String, under snapshot: CatalogSnapshot) throws(CommandError) -> TermLength? {
        let goods = source.rules.items.filter { $0.item == item }.compactMap(\.goods)
        guard let goods = goods.first else {
            let items = source.rules.items.filter { $0.goods != nil }.map(\.item)
            throw CommandError(
                "The source \(source.id) doesn't sell \(item.printable). It sells: "
                    + "\(items.isEmpty ? "nothing yet" : items.joined(separator: ", ")).")
        }
        return snapshot.catalog.tenants[tenant]?.products[goods.product]?.policies[goods.policy]?.duration
    }

    /// The item as it appears in the provider's messages; an item for a product gets a simulated price.
    private func soldItem(_ item: String) -> SoldItem {
        let isProduct = source.rules.items.contains { $0.item == item && $0.anyPrice }
        return isProduct ? SoldItem("price_simulated", product: item) : SoldItem(item)
    }

    /// Waits until the job of a message has finished, at most 10 seconds, and returns the stored message.
    func received(_ message: SimulatedMessage) async throws -> PaymentMessage {
        let bound = Self.plan.bind(Parameters(tenant: tenant, source: source.id, message: message.id))
        for attempt in 0... {
            let stored = try await context.store.fetch(bound)[Self.plan.queries]
            if let stored, stored.state != .waiting || attempt == Self.attempts { return stored }
            guard attempt < Self.attempts else { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandError(
            "The server accepted the message, but this store doesn't have it. Name the server's store with --data or "
                + "--store.")
    }

    private static let attempts = 200

    private struct Parameters: Sendable {
        let tenant: TenantID
        let source: SourceID
        let message: ProviderID
    }

    private static let plan = QueryPlan(for: Parameters.self) { query in
        query.row(PaymentMessage.byMessage) { [.of($0.tenant), .of($0.source), .of($0.message)] }
    }
}
