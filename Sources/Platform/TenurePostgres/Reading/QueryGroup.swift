import TenureStore
import TenureThreads

/// A bound query that is queued, with its caller and the caller's deadline.
struct WaitingQuery: Sendable {
    let bound: BoundQuery
    let deadline: SteadyTime
    let caller: CheckedContinuation<Result<QueryResult, StoreError>, Never>
}

/// Queries that share one round trip.
struct QueryGroup: Sendable {
    let waiting: [WaitingQuery]

    /// Runs the queries and resumes their callers; those whose deadline has passed fail without being run.
    func run(on session: Session) {
        let due = waiting.filter { one in
            let isLate = one.deadline.hasCome
            if isLate { one.caller.resume(returning: .failure(.late)) }
            return !isLate
        }
        if !due.isEmpty { Self.answer(due, on: session) }
    }

    private static func answer(_ waiting: [WaitingQuery], on session: Session) {
        do throws(StoreError) {
            let results = try session.use { connection in try connection.fetch(waiting.map(\.bound)) }
            for (one, results) in zip(waiting, results) { one.caller.resume(returning: .success(results)) }
        } catch {
            // A row that can't be decoded should only fail the queries that read it.
            if error.concernsAll || waiting.count == 1 {
                for one in waiting { one.caller.resume(returning: .failure(error.forCallers)) }
            } else {
                for one in waiting { answer([one], on: session) }
            }
        }
    }
}

extension Connection {
    /// Runs queries, all on the same snapshot.
    func fetch(_ group: [BoundQuery]) throws(StoreError) -> [QueryResult] {
        if let results = try lookAtOnce(group) { return results }
        return try transaction {
            batch.clear()
            for bound in group { batch.ask(bound) }
            let loading = batch.loading
            if loading.count > 1 { outgoing.add(.beginReading) }
            let load = GroupLoad(loading, on: self, isLocking: false)
            if loading.count > 1 { outgoing.add(.commit) }
            let answers = try roundTrip()
            try load.take(loading.count > 1 ? answers.dropFirst() : answers[...])
            try load.settle()
            var found: [QueryResult] = []
            for number in group.indices {
                guard let results = batch.results(number) else {
                    throw StoreError(
                        .failed, "A query returned too few results. This is a bug in Tenure; please report it.")
                }
                found.append(results)
            }
            return found
        }
    }
}
