import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureSelling
import TenureServerKit
import TenureStore

/// Handles a message about an order. The task is prepared outside the transaction that saves its result.
struct OrderTask: Sendable {
    let work: PaymentMessageWork
    let message: PaymentMessage
    let source: PaymentSource
    var report: OrderReport
    /// One of the report's ids, used while the order's reference is unknown.
    let name: ProviderID
    /// Whether a checkout session that names the invoice would be the sale.
    let waitsForSession: Bool
    /// The work that remains after this order; `nil` if the message concerns no other order.
    var following: PaymentMessageWork?
    let now: Timestamp
    /// Whether to request the subscription's current state from the provider if messages with the same time contradict
    /// each other.
    var asksProvider = true

    /// How long facts wait for their order's sale, in seconds: 30 days.
    private static let saleDelaySeconds: Int64 = 30 * 86_400
    /// How long a sale waits for the message with its period, in seconds: a day, because the provider sends both
    /// messages at the same time.
    private static let periodDelaySeconds: Int64 = 86_400
    /// The minimum time that a message waits after it is first handled, in seconds: an hour.
    private static let leastDelaySeconds: Int64 = 3_600

    /// The values that are generated and derived before the transaction.
    struct Prepared: Sendable {
        let order: OrderID
        let reference: ProviderID?
        /// The license that the order renewed before; `nil` if there is none.
        let renewed: LicenseID?
        /// The ids and keys of all licenses of the order; empty if the tenant has no key root.
        let licenses: [LicenseSlot: DerivedLicense]
        let hasRoot: Bool
        /// Whether the order's earlier letters are read, because the order ends a suspension.
        let readsLetters: Bool
    }

    /// Decides on the message, and returns the rows to save.
    ///
    /// Throws `ServerError`; ``ProviderError`` if the subscription's current state is needed and the provider doesn't
    /// return it.
    func work(
        on job: Job, under snapshot: CatalogSnapshot, _ selling: SellingContext
    ) async throws -> Job.Work<PaymentMessageWork> {
        var parameters = OrderQueries.Parameters(
            message: message, names: report.names, renewed: [renewedLicense].compactMap(\.self),
            isTest: source.rules.world == .test)
        let results = try await selling.store.fetch(OrderQueries.reading.bind(parameters))
        let record = OrderRecord(results, OrderQueries.reading.queries)
        var random = selling.randomness.generator()
        let keys = try await OrderKeys(of: message.tenant, under: snapshot.master, in: selling.store)
        let reference = record.reference(or: report.reference)
        if asksProvider, isContradicted(by: record), let api = try selling.api(of: source) {
            return try await presently(by: api, reference).work(on: job, under: snapshot, selling)
        }
        var changes: [LicenseChange] = []
        if case .changed(let planned) = decision(on: record, named: reference, under: snapshot.catalog) {
            changes = planned.licenses
        }
        let licenses = try licenses(for: changes, of: reference, keys, snapshot)
        let lifts = changes.contains(where: \.lifts)
        let prepared = Prepared(
            order: record.id ?? .random(using: &random), reference: reference, renewed: record.row?.renewedLicense,
            licenses: licenses ?? [:], hasRoot: licenses != nil, readsLetters: lifts)
        if lifts { parameters.letters = record.slots.compactMap { MailID(firstOf: $0.license) } }
        parameters.reference = reference
        parameters.derived = prepared.licenses.values.map(\.id)
        parameters.renewed += [prepared.renewed].compactMap(\.self).filter { $0 != renewedLicense }
        return OrderQueries.saving.work(on: job, parameters, under: snapshot) { results, queries in
            decide(OrderRecord(results, queries), results[queries.message], prepared, snapshot)
        }
    }

    /// Whether a stored fact with the same time contradicts the message, even before the order's sale.
    private func isContradicted(by record: OrderRecord) -> Bool {
        let stored = (Array(record.facts.values) + record.joining).map(\.fact)
        let facts = OrderFacts(source: source.id, reference: name, stored)
        return report.facts.contains { facts.contradicts(OrderFact($0, terms: OrderFact.Terms())) }
    }

    /// Returns this task with the subscription's current state instead of the state that the message reports.
    private func presently(by api: ProviderAPI, _ reference: ProviderID?) async throws -> OrderTask {
        var task = self
        task.asksProvider = false
        guard let reference, let id = report.facts.first?.message else { return task }
        // The state's time is one second after the messages that contradict each other, so that the state replaces both
        // reports.
        let time = message.happenedAt.adding(seconds: 1)
        task.report.facts =
            report.facts.filter { !$0.kind.isState } + (try await api.subscription(reference, for: id, at: time))
        return task
    }

    /// Derives the ids and keys of the licenses that the changes issue; `nil` if the tenant has no key root.
    private func licenses(
        for changes: [LicenseChange], of reference: ProviderID?, _ keys: OrderKeys, _ snapshot: CatalogSnapshot
    ) throws(ServerError) -> [LicenseSlot: DerivedLicense]? {
        guard let reference else { return [:] }
        var derived: [LicenseSlot: DerivedLicense] = [:]
        for case .issue(let new) in changes {
            let product = ProductRef(tenant: message.tenant, product: new.product)
            guard let prefix = snapshot.catalog[product]?.keyPrefix else { continue }
            let label = OrderLicenseLabel(
                source: source.id, reference: reference, slot: new.slot, generation: LicenseKey.Derivation.first)
            guard let license = try keys.license(of: label.bytes(for: "id"), prefix: prefix) else { return nil }
            derived[new.slot] = license
        }
        return derived
    }

    /// How the job ends after this order: it continues with the customer's next order, or is done.
    var ending: Job.Ending<PaymentMessageWork> {
        following.map { .again(at: now, $0) } ?? .done
    }

    /// The license to renew according to the buyer's link; not to be trusted. `nil` if there is none.
    private var renewedLicense: LicenseID? { report.facts.lazy.compactMap(\.renewedLicense).first }

    private func decision(
        on record: OrderRecord, named known: ProviderID?, under catalog: Catalog
    ) -> OrderDecision {
        // Before the sale, any id of the order is enough, because it's used only to find licenses.
        let reference = known ?? name
        let facts = OrderFacts(
            source: source.id, reference: reference, record.facts.values.map(\.fact))
        // The checkout session was the sale, so its invoice only adds ids of the order.
        let isSold = waitsForSession && record.row != nil
        let actor = Actor(.order, reference.text)
        return Order.decide(
            isSold ? [] : work.issuesUnknown ? report.issuing : report.facts, on: facts,
            joining: [OrderFacts(source: source.id, reference: reference, record.joining.map(\.fact))],
            licenses: record.presentLicenses(by: actor, adopting: source.rules.world == .live),
            renewing: record.renewable(renewedLicense, of: message.tenant, under: catalog, by: actor),
            rules: source.rules,
            liveTestLicenses: record.testLicenses.count { $0.recordedState.isOpen && !$0.term.isOver(at: now) },
            now: now)
    }

    /// Decides in the transaction; `nil` if the prepared values don't fit the rows that were read.
    private func decide(
        _ record: OrderRecord, _ stored: PaymentMessage?, _ prepared: Prepared, _ snapshot: CatalogSnapshot
    ) -> (Job.Ending<PaymentMessageWork>, [RowWrite])? {
        guard let message = stored, message.state == .waiting else { return (.done, []) }
        guard record.reference(or: report.reference) == prepared.reference,
            record.row?.renewedLicense == prepared.renewed
        else { return nil }
        let order = record.id ?? prepared.order
        let writes = OrderWrites(
            record: record, order: order, message: message, report: report, isLast: following == nil, now: now)
        if waitsForSession, record.row == nil, let wait = wait(MessageContent.invoiceDelaySeconds, of: message) {
            return (wait, [])
        }
        // A message that contradicts this one was handled in the meantime. The job runs again and asks the provider.
        if asksProvider, source.apiKey != nil, isContradicted(by: record) { return nil }
        switch decision(on: record, named: prepared.reference, under: snapshot.catalog) {
        case .changed(var changes):
            if work.isSeen { changes.attention.removeAll { $0 == .contradiction } }
            return save(changes, writes, record, prepared, snapshot)
        case .waiting(let facts):
            let isSale = report.facts.contains { $0.kind.sale != nil }
            if let wait = wait(isSale ? Self.periodDelaySeconds : Self.saleDelaySeconds, of: message) {
                return (wait, writes.names + writes.facts(facts) + writes.closed(.waiting))
            }
            // If a buyer has paid, the message is parked, so that an operator is informed.
            guard isSale else { return (ending, writes.closed(.ignored, .withoutOrder, isStored: false)) }
            let parked = writes.closed(
                .parked, .factsMissing,
                "the period that was paid for, which `subscription.created` names. Select that type at the provider")
            return (ending, writes.names + writes.facts(facts) + parked)
        case .repeated: return (ending, writes.names + writes.closed(.done))
        case .ignored(let reason): return (ending, writes.closed(.ignored, PaymentMessageReason(reason)))
        case .parked(let reason, nil):
            return (ending, writes.closed(.parked, PaymentMessageReason(reason), detail(of: reason), isStored: false))
        case .parked(let reason, let facts?):
            let parked = writes.closed(.parked, PaymentMessageReason(reason), detail(of: reason))
            // A later message about the customer may contain the address. That message finds the order by the order's
            // row.
            let row = Order(facts).map { [writes.row(of: $0, adding: record.row?.addedSeconds)] } ?? []
            return (ending, writes.names + writes.facts(facts) + row + parked)
        }
    }

    /// How the job ends if the message waits for another one; `nil` if it has waited long enough.
    ///
    /// After an outage, the awaited message may arrive together with this one, and be handled after it. So each message
    /// waits at least once.
    ///
    /// - Parameter seconds: How long it waits after it was received.
    private func wait(_ seconds: Int64, of message: PaymentMessage) -> Job.Ending<PaymentMessageWork>? {
        var end = message.receivedAt.adding(seconds: seconds)
        if !work.hasWaited { end = max(end, now.adding(seconds: Self.leastDelaySeconds)) }
        guard now < end else { return nil }
        var later = work
        later.hasWaited = true
        return .again(at: end, later)
    }
}
