import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

/// The payload of the job that acts on a source's parked messages again.
struct RetryMessagesWork: Sendable, Hashable {
    let source: SourceID
    /// The reference of the order whose messages are retried; `nil` for all messages that wait for a change of the
    /// catalog.
    var order: ProviderID?
    /// The last message of the previous batch; `nil` for the first batch.
    var after: PaymentMessageID?

    init(source: SourceID, order: ProviderID? = nil) {
        self.source = source
        self.order = order
    }
}

extension JobName where Payload == RetryMessagesWork {
    /// The job that acts on parked messages of a source again.
    static let retryMessages = JobName("selling.retry") { work, body in
        body.member("source", work.source.text)
        body.member("order", work.order?.text)
        body.member("after", work.after?.description)
    } read: { body in
        guard let source = body.string("source").value.flatMap({ SourceID($0) }) else { return nil }
        var work = RetryMessagesWork(source: source, order: body.string("order").value.flatMap { ProviderID($0) })
        work.after = body.string("after").value.flatMap { PaymentMessageID(text: $0) }
        return work
    }
}

/// Acts on parked messages again after the catalog has changed, or after a license was joined to their order.
///
/// If the catalog no longer has their source, the messages are parked for that reason, and the source's list of events
/// is no longer read.
///
/// Each batch begins after the last message of the previous one. So a message that is parked again isn't retried
/// endlessly.
struct RetryMessages: Sendable {
    let selling: SellingContext

    /// The number of messages in a batch.
    private static let pageSize = 100

    var kind: Job.Kind<RetryMessagesWork> {
        Job.Kind(.retryMessages, isOutbound: false, under: selling.catalog) { [self] work, job, now, snapshot in
            try await retry(work, job, now, snapshot)
        }
    }

    private func retry(
        _ work: RetryMessagesWork, _ job: Job, _ now: Timestamp, _ snapshot: CatalogSnapshot
    ) async throws -> Job.Work<RetryMessagesWork> {
        guard let tenant = job.tenant else { return .ending(.done, of: job) }
        let isRemoved = snapshot.paymentSource(work.source, of: tenant) == nil
        let page = try await selling.store.list(listing(work, of: tenant))
        let ids = page.filter { work.concerns($0, isSourceRemoved: isRemoved, at: now) }.map(\.id)
        var following = work
        following.after = page.last?.id
        let ending: Job.Ending<RetryMessagesWork> = page.count < Self.pageSize ? .done : .again(at: now, following)
        let catchUp = isRemoved ? CatchUpWork.jobID(of: work.source, tenant) : nil
        return Self.plan.work(on: job, .init(messages: ids, catchUp: catchUp), under: snapshot) { results, queries in
            let jobs = Dictionary(results[queries.jobs].map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            let writes = results[queries.messages].filter {
                work.concerns($0, isSourceRemoved: isRemoved, at: now)
            }.flatMap { message in
                let after = message.retried(at: now)
                let job = after.job(at: now)
                return [RowWrite.replace(message, by: after), .put(job, over: jobs[job.id])]
            }
            // A running job isn't removed: it finds that the catalog has changed, and ends.
            let ended = results[queries.catchUp].filter { $0.state != .running }.map(RowWrite.remove)
            return (ending, writes + ended)
        }
    }

    private func listing(_ work: RetryMessagesWork, of tenant: TenantID) -> Listing<PaymentMessage> {
        let after = work.after.map { [StoredValue.of($0)] } ?? []
        if let order = work.order {
            return Listing(
                PaymentMessage.ofOrder, [.of(tenant), .of(work.source), .of(order)], after: after, limit: Self.pageSize)
        }
        return Listing(
            PaymentMessage.ofSource, [.of(tenant), .of(work.source), .of(PaymentMessage.State.parked)], after: after,
            limit: Self.pageSize)
    }

    private struct Parameters: Sendable {
        let messages: [PaymentMessageID]
        /// The id of the job that reads the source's list of events, if the catalog no longer has the source; otherwise
        /// `nil`.
        let catchUp: String?
    }

    private static let plan = Job.CatalogWorkPlan(for: Parameters.self) { query in
        (
            messages: query.each(PaymentMessage.table.key) { $0.messages.map { .of($0) } },
            jobs: query.each(Job.table.key) { $0.messages.map { .of(PaymentMessage.jobID(of: $0).text) } },
            catchUp: query.each(Job.table.key) { $0.catchUp.map { [.of($0)] } ?? [] }
        )
    }
}

extension RetryMessagesWork {
    /// Whether to act on a message again. A message whose body has been removed stays as it is.
    func concerns(_ message: PaymentMessage, isSourceRemoved: Bool, at now: Timestamp) -> Bool {
        guard message.state == .parked, message.receivedAt.adding(seconds: PaymentMessageBody.lifetime) > now,
            let reason = message.reason
        else { return false }
        if isSourceRemoved { return reason != .sourceRemoved && reason.needsSource }
        return order != nil || reason.waitsForCatalog
    }
}
