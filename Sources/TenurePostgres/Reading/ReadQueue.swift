import TenureStore

/// Something to read, with who waits for it.
protocol WaitingRead: Sendable {
    func run(on session: Session)
}

/// What waits for the readers, and whether they still take more.
struct ReadQueue {
    /// What a reader does next; nothing when it is to end.
    struct Next {
        let work: (any WaitingRead)?
    }

    private var validations: [WaitingValidation] = []
    private var others: [any WaitingRead] = []
    private var isClosed = false

    mutating func add(_ read: any WaitingRead) -> Bool {
        if !isClosed { others.append(read) }
        return !isClosed
    }

    mutating func add(_ validation: WaitingValidation) -> Bool {
        if !isClosed { validations.append(validation) }
        return !isClosed
    }

    /// Takes no more; what waits is still done.
    mutating func close() { isClosed = true }

    /// Takes the next work off; nil when there is none yet. Validations that wait go together, in one statement.
    mutating func next() -> Next? {
        if !others.isEmpty { return Next(work: others.removeFirst()) }
        if validations.isEmpty { return isClosed ? Next(work: nil) : nil }
        let group = Array(validations.prefix(Self.largestGroup))
        validations.removeFirst(group.count)
        return Next(work: ValidationGroup(waiting: group))
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
