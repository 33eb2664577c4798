import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

/// The result of an operator's change of a message.
enum MessageChange: Sendable, Hashable {
    /// The message after the change.
    case changed(PaymentMessage)
    /// The message was already done or ignored, so it stays unchanged.
    case finished(PaymentMessage)
    /// The message's body has been removed, so the message can't be read again.
    case bodyRemoved
    /// The tenant has no message with this id.
    case unknown
}

extension FeatureContext {
    /// Runs the job of a waiting, parked or ignored message again, at once.
    ///
    /// - Parameter issuesUnknown: Whether a renewal of an order that Tenure doesn't know may issue licenses.
    func retryPaymentMessage(
        _ id: PaymentMessageID, of tenant: TenantID, issuesUnknown: Bool = false
    ) async throws(ServerError) -> MessageChange {
        let (now, plan) = (clock.now(), PaymentMessagePlans.message)
        let change = Transaction(plan.bind(id)) { results -> TransactionResult<MessageChange> in
            guard let message = results[plan.queries.message], message.tenant == tenant else {
                return TransactionResult(.unknown)
            }
            guard message.state != .done else { return TransactionResult(.finished(message)) }
            guard results[plan.queries.body] != nil else { return TransactionResult(.bodyRemoved) }
            let job = results[plan.queries.job]
            // A server is acting on the message now.
            if let job, job.state == .running, message.state == .waiting {
                return TransactionResult(.changed(message))
            }
            let after = message.retried(at: now)
            let work = after.job(issuesUnknown: issuesUnknown, isSeen: message.reason == .contradiction, at: now)
            return TransactionResult(.changed(after), [.replace(message, by: after), .put(work, over: job)])
        }
        return try await store.perform(change)
    }

    /// Ignores a parked message without acting on it. An operator can still retry the message.
    func dismissPaymentMessage(
        _ id: PaymentMessageID, of tenant: TenantID
    ) async throws(ServerError) -> MessageChange {
        let (now, plan) = (clock.now(), PaymentMessagePlans.message)
        let change = Transaction(plan.bind(id)) { results -> TransactionResult<MessageChange> in
            guard let message = results[plan.queries.message], message.tenant == tenant else {
                return TransactionResult(.unknown)
            }
            guard message.state == .parked else {
                let isDismissed = message.state == .ignored && message.reason == .dismissed
                return TransactionResult(isDismissed ? .changed(message) : .finished(message))
            }
            let after = message.with(
                .ignored, because: .dismissed, message.detail, order: message.order, at: now)
            let job = results[plan.queries.job].map { [RowWrite.remove($0)] } ?? []
            return TransactionResult(.changed(after), [.replace(message, by: after)] + job)
        }
        return try await store.perform(change)
    }
}
