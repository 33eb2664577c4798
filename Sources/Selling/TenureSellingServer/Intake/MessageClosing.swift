import TenureCore
import TenureServerKit
import TenureStore

/// Ends the work on a message that changes no order.
struct MessageClosing: Sendable {
    let message: PaymentMessage
    let job: Job
    let snapshot: CatalogSnapshot
    let now: Timestamp

    typealias Work = Job.Work<PaymentMessageWork>

    func done() -> Work { close(.done) }

    func ignored(_ reason: PaymentMessageReason) -> Work { close(.ignored, reason) }

    func parked(_ reason: PaymentMessageReason, _ detail: String? = nil) -> Work { close(.parked, reason, detail) }

    private func close(
        _ state: PaymentMessage.State, _ reason: PaymentMessageReason? = nil, _ detail: String? = nil
    ) -> Work {
        let now = now
        return Self.plan.work(on: job, message.id, under: snapshot) { results, stored in
            guard let before = results[stored], before.state == .waiting else { return (.done, []) }
            return (.done, [.replace(before, by: before.with(state, because: reason, detail, at: now))])
        }
    }

    private static let plan = Job.CatalogWorkPlan(for: PaymentMessageID.self) { query in
        query.row(PaymentMessage.table.key) { [.of($0)] }
    }
}
