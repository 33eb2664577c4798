import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

/// Reads a provider's list of events, and stores the events that didn't arrive as messages.
///
/// One run of the job reads one page. The events and the position are saved in one transaction, so nothing is lost or
/// stored twice if a server stops.
struct ReadEvents: Sendable {
    let selling: SellingContext

    var kind: Job.Kind<CatchUpWork> {
        Job.Kind(.catchUp, rules: Self.rules, under: selling.catalog) { [self] work, job, now, snapshot in
            try await run(work, job, now, snapshot)
        }
    }

    /// After three quick attempts, the job is tried every hour for 90 days, the longest period that a provider lists.
    private static let rules = Job.Rules(
        plan: Job.RetryPlan(waits: [10, 60, 600] + Array(repeating: 3_600, count: 24 * 90)), timeout: 120)

    private func run(
        _ work: CatchUpWork, _ job: Job, _ now: Timestamp, _ snapshot: CatalogSnapshot
    ) async throws -> Job.Work<CatchUpWork> {
        guard let tenant = job.tenant, let source = snapshot.paymentSource(work.source, of: tenant),
            source.apiKey != nil
        else { return .ending(.done, of: job) }
        let (progress, days) = (work.progress, source.provider.listedDays)
        guard let walk = progress.walk, progress.begun(days: days, at: now) == progress else {
            if source.catchUpInterval == nil, progress.since == nil, progress.walk == nil {
                return .ending(.done, of: job)
            }
            return Self.continuing(job, with: work, under: snapshot, at: now) { $0.begun(days: days, at: now) }
        }
        let listed: ListedMessages
        do {
            guard let api = try selling.api(of: source) else { return .ending(.done, of: job) }
            listed = try await api.events(of: walk)
        } catch let error as ProviderError {
            guard error.isTooLong, walk.pageSize > 1 else { return .ending(.failed(error.description), of: job) }
            return Self.continuing(job, with: work, under: snapshot, at: now) { $0.withShorterPages() ?? $0 }
        }
        let page = try Page(job: job.id, listed, of: tenant, source, under: snapshot, selling, at: now)
        let next = now.adding(seconds: source.catchUpInterval ?? 0)
        return Self.plan.work(on: job, page, under: snapshot) { results, queries in
            let stored = Set(results[queries.messages].map(\.message))
            var after = results[queries.job].flatMap { CatchUpWork($0) } ?? work
            after.progress = after.progress.read(listed.page)
            let isOver = after.progress.walk == nil && after.progress.since == nil
            let time = isOver ? next : after.progress.nextPageTime(at: now)
            return (.again(at: time, after), page.writes(besides: stored, at: now))
        }
    }

    /// Changes the stored progress, to which an operator may have added a request since this run began.
    private static func continuing(
        _ job: Job, with work: CatchUpWork, under snapshot: CatalogSnapshot, at now: Timestamp,
        _ change: @escaping @Sendable (CatchUp) -> CatchUp
    ) -> Job.Work<CatchUpWork> {
        plan.work(on: job, Page(job: job.id), under: snapshot) { results, queries in
            var after = results[queries.job].flatMap { CatchUpWork($0) } ?? work
            after.progress = change(after.progress)
            return (.again(at: now, after), [])
        }
    }

    /// The messages that a run of the job saves.
    private struct Page: Sendable {
        let job: String
        var messages: [(message: PaymentMessage, body: PaymentMessageBody)] = []

        init(job: String) { self.job = job }

        /// Creates the messages for a page's events, with encrypted bodies. An event that the page repeats is left out.
        init(
            job: String, _ listed: ListedMessages, of tenant: TenantID, _ source: PaymentSource,
            under snapshot: CatalogSnapshot, _ selling: SellingContext, at now: Timestamp
        ) throws(ServerError) {
            self.job = job
            var random = selling.randomness.generator()
            var seen: Set<String> = []
            for body in listed.bodies {
                let received = ReceivedMessage(body, from: source.provider, at: now)
                guard seen.insert(received.id).inserted else { continue }
                let message = PaymentMessage(
                    received, id: .random(using: &random), of: tenant, from: source.id, at: now)
                messages.append((message, try PaymentMessageBody(sealing: body, of: message, under: snapshot.master)))
            }
        }

        /// Returns the writes that insert the messages that aren't stored yet, each with its job.
        ///
        /// The jobs are due in the order in which the events happened, so that most find their order's sale.
        func writes(besides stored: Set<String>, at now: Timestamp) -> [RowWrite] {
            messages.filter { !stored.contains($0.message.message) }.flatMap { message, body in
                [.insert(message), .insert(body)]
                    + (message.state == .waiting ? [.insert(message.job(at: min(message.happenedAt, now)))] : [])
            }
        }
    }

    private static let plan = Job.CatalogWorkPlan(for: Page.self) { query in
        (
            job: query.row(Job.table.key) { [.of($0.job)] },
            messages: query.each(PaymentMessage.byMessage) { page in
                page.messages.flatMap { message, _ in
                    [.of(message.tenant), .of(message.source), .of(message.message)]
                }
            }
        )
    }
}
