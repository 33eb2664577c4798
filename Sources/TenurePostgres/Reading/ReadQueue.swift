import TenureStore

/// Something to read, with who waits for it.
protocol WaitingRead: Sendable {
    func run(on session: Session)
}

/// What waits for the readers.
struct ReadQueue {
    private var validations: [WaitingValidation] = []
    private var others: [any WaitingRead] = []

    mutating func add(_ read: any WaitingRead) { others.append(read) }

    mutating func add(_ validation: WaitingValidation) { validations.append(validation) }

    /// Takes the next work off; nil when there is none. Validations that wait go together, in one statement.
    mutating func next() -> (any WaitingRead)? {
        if !others.isEmpty { return others.removeFirst() }
        if validations.isEmpty { return nil }
        let group = Array(validations.prefix(Self.largestGroup))
        validations.removeFirst(group.count)
        return ValidationGroup(waiting: group)
    }

    private static let largestGroup = 128
}

/// A read together with its caller.
struct PendingRead<Result: Sendable>: WaitingRead {
    let body: @Sendable (Connection) throws(StoreError) -> Result
    let caller: CheckedContinuation<Swift.Result<Result, StoreError>, Never>

    func run(on session: Session) {
        do throws(StoreError) {
            caller.resume(returning: .success(try session.use(body)))
        } catch {
            caller.resume(returning: .failure(error.forCallers))
        }
    }
}
