import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureSelling
import TenureServerKit
import TenureStore

/// Acts on a message from a payment provider once: adds its facts to the order, and changes the order's licenses.
///
/// Everything is saved in one transaction: facts, licenses, events, letters and the message's state. Transactions about
/// one source run one after the other, so that two messages about one order can't miss each other's facts.
struct ActOnMessage: Sendable {
    let selling: SellingContext

    var kind: Job.Kind<PaymentMessageWork> {
        Job.Kind(.paymentMessage, under: selling.catalog) { [self] work, job, now, snapshot in
            try await act(work, job, now, snapshot)
        }
    }

    private typealias Work = Job.Work<PaymentMessageWork>

    private func act(
        _ work: PaymentMessageWork, _ job: Job, _ now: Timestamp, _ snapshot: CatalogSnapshot
    ) async throws -> Work {
        let plan = PaymentMessagePlans.message
        let results = try await selling.store.fetch(plan.bind(work.message))
        guard let message = results[plan.queries.message] else { return .ending(.done, of: job) }
        let closing = MessageClosing(message: message, job: job, snapshot: snapshot, now: now)
        if message.state == .parked, work.attempts > 0, message.reason?.passes ?? false { return closing.resumed(work) }
        guard message.state == .waiting else { return .ending(.done, of: job) }
        guard let source = snapshot.paymentSource(message.source, of: message.tenant) else {
            return closing.parked(.sourceRemoved, "the catalog has no source \(message.source)")
        }
        guard let sealed = results[plan.queries.body] else {
            return closing.parked(.bodyUnreadable, "the body was removed")
        }
        let body = try sealed.opened(under: snapshot.master)
        let content: Content
        do {
            content = try await read(body, from: source, of: message.tenant, issues: work.issuesUnknown)
        } catch let error as FormatError {
            return closing.parked(.bodyUnreadable, error.message)
        } catch let error as ProviderError {
            // The job is tried again. After the job's last attempt, the message is parked and retried at longer
            // intervals.
            if work.attempts > 0 || isLastAttempt(of: job) {
                return closing.paused(.providerFailed, error.description, work)
            }
            return .ending(.failed(error.description), of: job)
        }
        switch content {
        case .unused: return closing.ignored(.typeUnused)
        case .otherWorld: return closing.ignored(.wrongWorld)
        case .noted: return closing.done()
        case .customer(let customer, let buyer, let fact):
            let change = CustomerChange(message: message, customer: customer, buyer: buyer, fact: fact, now: now)
            return try await change.work(work, source, on: job, under: snapshot, selling)
        case .lacking(let part):
            return source.apiKey == nil
                ? closing.parked(.factsMissing, part) : closing.paused(.factsMissing, part, work)
        // A message may arrive before the API reports its transaction as paid.
        case .unpaid(let transaction): return closing.paused(.paymentUnknown, transaction.text, work)
        case .order(let report, let waits):
            guard let name = report.names.min() else {
                return closing.parked(.factsMissing, "the message names no order, invoice or payment")
            }
            var task = OrderTask(
                work: work, message: message, source: source, report: report, name: name, waitsForSession: waits,
                now: now)
            do {
                return try await task.work(on: job, under: snapshot, selling)
            } catch let error as ProviderError {
                guard isLastAttempt(of: job) else { return .ending(.failed(error.description), of: job) }
                // A fixed ranking of the states then decides, as without an API key.
                task.asksProvider = false
                return try await task.work(on: job, under: snapshot, selling)
            }
        }
    }

    private func isLastAttempt(of job: Job) -> Bool { job.failures + 1 >= Job.RetryPlan.standard.lastAttempt }
}
