import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

/// The effect of a message about a customer: the existing orders get the new address, which is also stored for later
/// sales.
struct CustomerChange: Sendable {
    let message: PaymentMessage
    let customer: ProviderID
    let buyer: Buyer
    let fact: ReportedFact
    let now: Timestamp

    /// Changes one order, and continues with the next in another run; the last run saves the customer.
    ///
    /// Each order changes in a transaction of its own, because a customer may have many.
    func work(
        _ work: PaymentMessageWork, _ source: PaymentSource, on job: Job, under snapshot: CatalogSnapshot,
        _ selling: SellingContext
    ) async throws -> Job.Work<PaymentMessageWork> {
        let parameters = CustomerPlans.Parameters(tenant: message.tenant, source: message.source, customer: customer)
        let plan = CustomerPlans.orders
        let orders = try await selling.store.fetch(plan.bind(parameters))[plan.queries].sorted { $0.id < $1.id }
        if let next = orders.first(where: { order in work.lastOrder.map { order.id > $0 } ?? true }) {
            var following = work
            following.lastOrder = next.id
            following.hasWaited = false
            let task = OrderTask(
                work: work, message: message, source: source,
                report: OrderReport(reference: next.reference, names: [], facts: [fact]), name: next.reference,
                waitsForSession: false, following: following, now: now)
            return try await task.work(on: job, under: snapshot, selling)
        }
        let (customer, now) = (row, now)
        return CustomerPlans.saving.work(on: job, (message.id, parameters), under: snapshot) { results, queries in
            guard let message = results[queries.message], message.state == .waiting else { return (.done, []) }
            let stored = results[queries.customer]
            // A message that arrived earlier may have a later time.
            let isNewer = stored.map { $0.changedAt <= customer.changedAt } ?? true
            let saved: [RowWrite] = isNewer && stored != customer ? [.put(customer, over: stored)] : []
            return (.done, saved + [.replace(message, by: message.with(.done, at: now))])
        }
    }

    private var row: PaymentCustomerRow {
        PaymentCustomerRow(
            tenant: message.tenant, source: message.source, customer: customer, email: buyer.email, name: buyer.name,
            changedAt: message.happenedAt)
    }
}
