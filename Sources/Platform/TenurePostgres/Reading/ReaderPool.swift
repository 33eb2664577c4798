import TenureStore
import TenureThreads

/// Threads for the short queries by key or set that every request waits for.
///
/// Each thread has its own connection. Slower work goes to a ``ConnectionPool``. Waiting queries of the same plan share
/// one round trip.
final class ReaderPool: Sendable {
    private let workers = WorkerThreads(ReadQueue())

    /// Starts the threads; each connects for its first query.
    init(_ database: Database, _ settings: SessionSettings, threads: Int) throws(StoreError) {
        do throws(ThreadError) {
            try workers.start(threads: threads) { [workers] in
                let session = Session(database, settings, for: .queries)
                while let group = workers.next({ queue in queue.next() }) { group.run(on: session) }
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Runs a query on one of the threads, together with other waiting queries of the same plan.
    func run(_ bound: BoundQuery) async throws(StoreError) -> QueryResult {
        let deadline = Deadline.current
        return try await withCheckedContinuation { caller in
            let waiting = WaitingQuery(bound: bound, deadline: deadline, caller: caller)
            if workers.add({ queue in queue.add(waiting) }) == nil { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Finishes the queued work, then ends the threads.
    func stop() async { await workers.stop() }
}

/// The queue of the query threads.
struct ReadQueue {
    /// The waiting queries of one plan.
    private struct Line {
        let plan: QueryPlanShape
        var waiting: [WaitingQuery]
    }

    /// The waiting queries of plans that go first, by plan, in the order of their turns.
    private var first: [Line] = []
    private var others: [Line] = []
    private var turnsOfFirst = 0

    mutating func add(_ query: WaitingQuery) {
        if query.bound.plan.goesFirst { Self.add(query, to: &first) } else { Self.add(query, to: &others) }
    }

    /// Removes and returns the next queries, all of one plan; `nil` if the queue is empty.
    ///
    /// Plans marked as `goesFirst` are served first, such as those of validations, which are the most frequent
    /// requests. The others get at least every fourth turn. Plans of the same rank take turns, so that no plan waits
    /// indefinitely.
    mutating func next() -> QueryGroup? {
        if !others.isEmpty, first.isEmpty || turnsOfFirst >= Self.patience {
            turnsOfFirst = 0
            return Self.take(from: &others)
        }
        if first.isEmpty { return nil }
        turnsOfFirst = others.isEmpty ? 0 : turnsOfFirst + 1
        return Self.take(from: &first)
    }

    private static func add(_ query: WaitingQuery, to lines: inout [Line]) {
        if let position = lines.firstIndex(where: { $0.plan === query.bound.plan }) {
            lines[position].waiting.append(query)
        } else {
            lines.append(Line(plan: query.bound.plan, waiting: [query]))
        }
    }

    private static func take(from lines: inout [Line]) -> QueryGroup {
        var line = lines.removeFirst()
        let group = Array(line.waiting.prefix(largestGroup))
        line.waiting.removeFirst(group.count)
        if !line.waiting.isEmpty { lines.append(line) }
        return QueryGroup(waiting: group)
    }

    private static let largestGroup = 128
    private static let patience = 3
}
