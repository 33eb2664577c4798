import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureSelling
import TenureServerKit
import TenureStore

/// A license that was joined to an order.
struct JoinedOrder: Sendable, Hashable {
    let license: LicenseID
    let source: SourceID
    let reference: ProviderID
    /// The number of parked messages that are acted on again.
    let messages: Int
}

/// Joins a license to an order whose sale wasn't received, such as a subscription that began before Tenure was used.
///
/// The license then names the order. The order's parked messages run again, and the order adopts the license.
struct JoinOrder: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    struct Request: Sendable {
        let tenant: TenantID
        /// The source of the order; `nil` to use the source whose messages have named the order.
        let source: SourceID?
        let reference: ProviderID
        let license: LicenseID
        let actor: Actor
        /// The id of the job that retries the messages.
        let job: Job.ID
    }

    enum Outcome: Sendable, Hashable {
        case joined(JoinedOrder)
        case refused(JoinObstacle)
        case licenseUnknown
        /// The order's source can't be determined.
        ///
        /// The value lists the sources to choose from: those that could have the order or, if the named source doesn't
        /// exist, all sources of the tenant.
        case sourceUnclear([SourceID])
    }

    func join(_ request: Request) async throws(ServerError) -> Outcome {
        let sources = catalog.current.paymentSources(of: request.tenant).map(\.id)
        let candidates = request.source.map { id in sources.filter { $0 == id } } ?? sources
        let found = candidates.count > 1 ? try await known(request, at: candidates) : candidates
        guard found.count == 1, let source = found.first else {
            return .sourceUnclear(candidates.isEmpty ? sources : candidates)
        }
        let now = clock.now()
        let bound = Self.plan.bind(Parameters(request: request, source: source))
        return try await catalog.perform(bound) { results, queries, snapshot in
            try Self.decide(request, source, results, queries, snapshot, now)
        }
    }

    /// The sources whose messages have named the order.
    private func known(_ request: Request, at sources: [SourceID]) async throws(ServerError) -> [SourceID] {
        let bound = Self.naming.bind((request, sources))
        return try await catalog.store.fetch(bound)[Self.naming.queries].map(\.source).sorted { $0 < $1 }
    }

    private static func decide(
        _ request: Request, _ id: SourceID, _ results: QueryResult, _ queries: Queries, _ snapshot: CatalogSnapshot,
        _ now: Timestamp
    ) throws -> TransactionResult<Outcome> {
        guard let license = results[queries.license], license.product.tenant == request.tenant else {
            return TransactionResult(.licenseUnknown)
        }
        guard let source = snapshot.paymentSource(id, of: request.tenant) else {
            return TransactionResult(.sourceUnclear(snapshot.paymentSources(of: request.tenant).map(\.id)))
        }
        // The operator may have given the id of an invoice or a payment of the order.
        let reference = results[queries.names].first(where: \.isReference)?.name ?? request.reference
        let facts = OrderFacts(source: id, reference: reference, results[queries.facts].map(\.fact))
        let slot = results[queries.slots].first.map { LicenseSlot(line: $0.line, number: $0.number) }
        let present = PresentLicense(license, at: slot, events: [], request.actor)
        if let obstacle = Order.obstacle(
            joining: present, naming: license.terms.order, to: facts, rules: source.rules)
        {
            return TransactionResult(.refused(obstacle))
        }
        guard
            case .granted(let consequences) = license.change([.order(reference.text)], by: request.actor, at: now)
        else { return TransactionResult(.refused(.licenseFinal)) }
        let parked = Set(results[queries.messages]).filter { $0.state == .parked && $0.order == reference.text }
        let work = RetryMessagesWork(source: id, order: reference)
        let job = JobName.retryMessages.job(work, id: request.job, of: request.tenant, at: now)
        return TransactionResult(
            .joined(JoinedOrder(license: license.id, source: id, reference: reference, messages: parked.count)),
            (consequences.isEmpty ? [] : [RowWrite].following([consequences], from: license)) + [.insert(job)])
    }

    private struct Parameters: Sendable {
        let request: Request
        let source: SourceID
    }

    private struct Queries: Sendable {
        let license: RowQuery<License>
        let slots: RowsQuery<OrderLicenseRow>
        let names: RowsQuery<OrderNameRow>
        let facts: RowsQuery<OrderFactRow>
        let messages: RowsQuery<PaymentMessage>
    }

    private static let plan = CatalogQueryPlan(for: Parameters.self) { query in
        // Without this lock, a message about the order that is handled at the same time would miss the license.
        query.hold(PaymentMessage.turnOfSource) { [.of($0.request.tenant), .of($0.source)] }
        let name = query.each(OrderNameRow.table.key) {
            [.of($0.request.tenant), .of($0.source), .of($0.request.reference)]
        }
        let order = QuerySource<Parameters>.column("order_id", of: name)
        let names = query.each(OrderNameRow.ofOrder, upTo: .everything, order)
        return Queries(
            license: query.row(License.table.key) { [.of($0.request.license)] },
            slots: query.rows(OrderLicenseRow.ofLicense, upTo: 1) { [.of($0.request.license)] }, names: names,
            facts: query.each(OrderFactRow.ofOrder, upTo: .everything, order),
            messages: query.each(
                PaymentMessage.ofOrder, upTo: 1_000, .column("tenant", of: names), .column("source", of: names),
                .column("name", of: names)))
    }

    private static let naming = QueryPlan(for: (Request, [SourceID]).self) { query in
        query.each(OrderNameRow.table.key) { bound in
            bound.1.flatMap { [.of(bound.0.tenant), .of($0), .of(bound.0.reference)] }
        }
    }
}

extension JoinOrder {
    /// The sentence that lists the sources to choose from.
    static func sourceSentence(of sources: [SourceID]) -> String {
        sources.isEmpty
            ? "the tenant has no source of payments"
            : "name one of the tenant's sources: " + sources.map(\.text).joined(separator: ", ")
    }
}
