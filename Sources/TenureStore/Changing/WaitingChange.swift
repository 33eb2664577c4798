/// A change that waits for its commit, whatever it answers; what engines queue.
package protocol WaitingChange: Sendable {
    /// What its decision needs to see.
    var asked: Asked { get }

    /// Whether it lets others go first.
    var yields: Bool { get }

    /// Whether its caller waits no longer, so that it is not to be begun.
    var isLate: Bool { get }

    /// Decides, keeps the answer back and says what is to be saved. Deciding again replaces the answer.
    func decide(_ seen: Seen) -> [Save]

    /// Gives the caller the answer kept back, or the failure.
    func resume(_ failure: StoreError?)
}

/// A change together with its caller.
// No lock: from the moment it is queued, only the writer's thread touches `answer`.
package final class PendingChange<Answer: Sendable>: WaitingChange, @unchecked Sendable {
    private let change: Change<Answer>
    private let caller: CheckedContinuation<Result<Answer, StoreError>, Never>
    private let hasDeadlineCome: @Sendable () -> Bool
    private var answer: Answer?

    /// Pairs a change with who waits for it.
    /// - Parameter isLate: Whether the moment until which the caller waits has come.
    package init(
        _ change: Change<Answer>, caller: CheckedContinuation<Result<Answer, StoreError>, Never>,
        isLate: @escaping @Sendable () -> Bool
    ) {
        self.change = change
        self.caller = caller
        hasDeadlineCome = isLate
    }

    /// What its decision needs to see.
    package var asked: Asked { change.asked }

    /// Whether it lets others go first.
    package var yields: Bool { change.yields }

    /// Whether its caller waits no longer.
    package var isLate: Bool { hasDeadlineCome() }

    /// Decides and keeps the answer back.
    package func decide(_ seen: Seen) -> [Save] {
        let saving = change.decide(seen)
        answer = saving.answer
        return saving.saves
    }

    /// Tells the caller.
    package func resume(_ failure: StoreError?) {
        if let failure {
            caller.resume(returning: .failure(failure))
        } else if let answer {
            caller.resume(returning: .success(answer))
        } else {
            caller.resume(
                returning: .failure(StoreError(.failed, "A change was committed undecided: a fault of this program.")))
        }
    }
}
