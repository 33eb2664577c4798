import TenureCore
import TenureServerKit
import TenureStore

/// Ends the job of a message that changes no order.
struct MessageClosing: Sendable {
    let message: PaymentMessage
    let job: Job
    let snapshot: CatalogSnapshot
    let now: Timestamp

    typealias Work = Job.Work<PaymentMessageWork>

    func done() -> Work { close(.done) }

    func ignored(_ reason: PaymentMessageReason) -> Work { close(.ignored, reason) }

    func parked(_ reason: PaymentMessageReason, _ detail: String? = nil) -> Work { close(.parked, reason, detail) }

    /// Parks the message for a temporary reason, and schedules the next attempt.
    func paused(_ reason: PaymentMessageReason, _ detail: String, _ work: PaymentMessageWork) -> Work {
        close(.parked, reason, detail, work.pausing(message, at: now))
    }

    /// Sets a message that was parked for a temporary reason back to `waiting`, and runs its job again.
    func resumed(_ work: PaymentMessageWork) -> Work {
        let (message, now) = (message, now)
        return Self.plan.work(on: job, message.id, under: snapshot) { results, stored in
            guard let before = results[stored], before == message else { return (.done, []) }
            return (.again(at: now, work), [.replace(before, by: before.retried(at: now))])
        }
    }

    private func close(
        _ state: PaymentMessage.State, _ reason: PaymentMessageReason? = nil, _ detail: String? = nil,
        _ ending: Job.Ending<PaymentMessageWork> = .done
    ) -> Work {
        let now = now
        return Self.plan.work(on: job, message.id, under: snapshot) { results, stored in
            guard let before = results[stored], before.state == .waiting else { return (.done, []) }
            return (ending, [.replace(before, by: before.with(state, because: reason, detail, at: now))])
        }
    }

    private static let plan = Job.CatalogWorkPlan(for: PaymentMessageID.self) { query in
        query.row(PaymentMessage.table.key) { [.of($0)] }
    }
}
