/// A transaction that is queued for the writer thread, without its answer's type.
package protocol WaitingChange: Sendable {
    /// The bound plan that loads the rows for the decision.
    var bound: BoundQuery { get }

    /// Whether the change waits for other changes to go first.
    var yields: Bool { get }

    /// Whether a crash of the host may lose the change.
    var isLossy: Bool { get }

    /// Whether the caller's deadline has passed, so that the change must not be started.
    var isLate: Bool { get }

    /// Runs the decision, keeps its answer and returns the rows to save.
    ///
    /// Running it again replaces the answer.
    func decide(_ results: QueryResult) -> [RowWrite]

    /// Resumes the caller with the failure, or with the answer of the last decision.
    func resume(_ failure: StoreError?)
}

extension WaitingChange {
    package var isLossy: Bool { false }
}

/// A queued transaction together with the caller that waits for its answer.
// No lock: once it's queued, only the writer's thread touches `answer`.
package final class PendingChange<Answer: Sendable>: WaitingChange, @unchecked Sendable {
    private let change: Transaction<Answer>
    private let caller: CheckedContinuation<Result<Answer, StoreError>, Never>
    private let hasDeadlineCome: @Sendable () -> Bool
    private var answer: Answer?

    /// Pairs a transaction with its waiting caller.
    /// - Parameter isLate: Whether the caller's deadline has passed.
    package init(
        _ change: Transaction<Answer>, caller: CheckedContinuation<Result<Answer, StoreError>, Never>,
        isLate: @escaping @Sendable () -> Bool
    ) {
        self.change = change
        self.caller = caller
        hasDeadlineCome = isLate
    }

    package var bound: BoundQuery { change.bound }

    package var yields: Bool { change.yields }

    package var isLossy: Bool { change.isLossy }

    package var isLate: Bool { hasDeadlineCome() }

    package func decide(_ results: QueryResult) -> [RowWrite] {
        let saving = change.decide(results)
        answer = saving.answer
        return saving.saves
    }

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
