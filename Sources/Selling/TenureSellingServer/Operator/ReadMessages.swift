import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

extension FeatureContext {
    /// Reads a tenant's message from a payment provider; `nil` if the tenant has no message with this id. While the
    /// message waits, ``PaymentMessage/detail`` is the last failure of its job.
    func paymentMessage(_ id: PaymentMessageID, of tenant: TenantID) async throws(ServerError) -> PaymentMessage? {
        let plan = PaymentMessagePlans.message
        let results = try await store.fetch(plan.bind(id))
        return results[plan.queries.message].flatMap { message in
            message.tenant == tenant ? message.withFailure(of: results[plan.queries.job]) : nil
        }
    }

    /// The body of a message; `nil` if it has been removed.
    func body(of id: PaymentMessageID, under master: MasterKey) async throws(ServerError) -> [UInt8]? {
        let plan = PaymentMessagePlans.message
        guard let row = try await store.fetch(plan.bind(id))[plan.queries.body] else { return nil }
        return try row.opened(under: master)
    }

    /// Lists at most `limit` (1...1000) messages of a tenant, newest first. While a message waits,
    /// ``PaymentMessage/detail`` is the last failure of its job.
    ///
    /// - Parameter message: The message after which the page begins; `nil` for the first page.
    func paymentMessages(
        of tenant: TenantID, from source: SourceID? = nil, in state: PaymentMessage.State? = nil,
        after message: PaymentMessage? = nil, limit: Int
    ) async throws(ServerError) -> BoundedPage<PaymentMessage> {
        let isListed = { (message: PaymentMessage) in
            (state == nil || message.state == state) && (source == nil || message.source == source)
        }
        let page = try await store.boundedPage(
            of: PaymentMessage.ofTenant, [.of(tenant)],
            after: message.map { PaymentMessage.ofTenant.position(of: $0) } ?? [], limit: limit,
            where: state == nil && source == nil ? nil : isListed)
        let plan = PaymentMessagePlans.jobs
        let waiting = page.rows.filter { $0.state == .waiting }.map(\.id)
        if waiting.isEmpty { return page }
        let jobs = try await store.fetch(plan.bind(waiting))[plan.queries]
        let byID = Dictionary(jobs.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return BoundedPage(
            page.rows.map { $0.withFailure(of: byID[PaymentMessage.jobID(of: $0.id).text]) }, next: page.next)
    }
}

extension PaymentMessage {
    /// The message as an operator sees it: while it waits, ``PaymentMessage/detail`` is the last failure of its job.
    fileprivate func withFailure(of job: Job?) -> PaymentMessage {
        guard state == .waiting, let failure = job?.failure else { return self }
        var message = self
        message.detail = detail ?? failure
        return message
    }
}

enum PaymentMessagePlans {
    /// A message with its body and its job.
    static let message = QueryPlan(for: PaymentMessageID.self) { query in
        (
            message: query.row(PaymentMessage.table.key) { [.of($0)] },
            body: query.row(PaymentMessageBody.table.key) { [.of($0)] },
            job: query.row(Job.table.key) { [.of(PaymentMessage.jobID(of: $0).text)] }
        )
    }

    /// Reads the jobs of the messages with these ids.
    static let jobs = QueryPlan(for: [PaymentMessageID].self) { query in
        query.each(Job.table.key) { $0.map { .of(PaymentMessage.jobID(of: $0).text) } }
    }

    /// Reads the messages with these ids.
    static let several = QueryPlan(for: [PaymentMessageID].self) { query in
        query.each(PaymentMessage.table.key) { $0.map { .of($0) } }
    }
}
