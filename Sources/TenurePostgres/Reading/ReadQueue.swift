import TenureStore

/// Something to read, with who waits for it.
protocol WaitingRead: Sendable {
    func run(on session: Session)
}

/// What waits for the readers.
struct ReadQueue {
    /// Looks by form, in the order in which the first of each came.
    private var looks: [(form: FormShape, waiting: [WaitingLook])] = []
    private var others: [any WaitingRead] = []

    mutating func add(_ read: any WaitingRead) { others.append(read) }

    mutating func add(_ look: WaitingLook) {
        if let place = looks.firstIndex(where: { $0.form === look.asked.form }) {
            looks[place].waiting.append(look)
        } else {
            looks.append((look.asked.form, [look]))
        }
    }

    /// Takes the next work off; nil when there is none. Looks of one form go together, in one round trip.
    mutating func next() -> (any WaitingRead)? {
        if !others.isEmpty { return others.removeFirst() }
        if looks.isEmpty { return nil }
        var (form, waiting) = looks.removeFirst()
        let group = Array(waiting.prefix(Self.largestGroup))
        waiting.removeFirst(group.count)
        if !waiting.isEmpty { looks.append((form, waiting)) }
        return LookGroup(waiting: group)
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
