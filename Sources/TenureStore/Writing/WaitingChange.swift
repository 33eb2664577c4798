/// A change that waits for its commit, whatever it answers; what engines queue.
package protocol WaitingChange: Sendable {
    /// What its decision needs to see.
    var keys: LoadKeys { get }

    /// Whether it lets others go first.
    var yields: Bool { get }

    /// Decides, keeps the answer back and says what is to be saved. Deciding again replaces the answer.
    func decide(_ loaded: Loaded) -> [Write]

    /// Gives the caller the answer kept back, or the failure.
    func resume(_ failure: StoreError?)
}

/// A change together with its caller.
// No lock: from the moment it is queued, only the writer's thread touches `answer`.
package final class PendingChange<Answer: Sendable>: WaitingChange, @unchecked Sendable {
    private let change: Change<Answer>
    private let caller: CheckedContinuation<Result<Answer, StoreError>, Never>
    private var answer: Answer?

    package init(_ change: Change<Answer>, caller: CheckedContinuation<Result<Answer, StoreError>, Never>) {
        self.change = change
        self.caller = caller
    }

    package var keys: LoadKeys { change.keys }

    package var yields: Bool { change.yields }

    package func decide(_ loaded: Loaded) -> [Write] {
        let saving = change.decide(loaded)
        answer = saving.answer
        return saving.writes
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
