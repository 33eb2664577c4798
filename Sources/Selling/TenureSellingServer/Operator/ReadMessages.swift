import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

extension FeatureContext {
    /// A tenant's message from a payment provider; `nil` if the tenant has none with this id.
    func paymentMessage(_ id: PaymentMessageID, of tenant: TenantID) async throws(ServerError) -> PaymentMessage? {
        let plan = PaymentMessagePlans.message
        return try await store.fetch(plan.bind(id))[plan.queries.message].flatMap { $0.tenant == tenant ? $0 : nil }
    }

    /// The body of a message; `nil` if it has been removed.
    func body(of id: PaymentMessageID, under master: MasterKey) async throws(ServerError) -> [UInt8]? {
        let plan = PaymentMessagePlans.message
        guard let row = try await store.fetch(plan.bind(id))[plan.queries.body] else { return nil }
        return try row.opened(under: master)
    }

    /// Lists at most `limit` (1...1000) messages of a tenant, newest first.
    ///
    /// - Parameter message: The message after which the page begins; `nil` for the first page.
    func paymentMessages(
        of tenant: TenantID, from source: SourceID? = nil, in state: PaymentMessage.State? = nil,
        after message: PaymentMessage? = nil, limit: Int
    ) async throws(ServerError) -> BoundedPage<PaymentMessage> {
        let isListed = { (message: PaymentMessage) in
            (state == nil || message.state == state) && (source == nil || message.source == source)
        }
        return try await store.boundedPage(
            of: PaymentMessage.ofTenant, [.of(tenant)],
            after: message.map { PaymentMessage.ofTenant.position(of: $0) } ?? [], limit: limit,
            where: state == nil && source == nil ? nil : isListed)
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
}
