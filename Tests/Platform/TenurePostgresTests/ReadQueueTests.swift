import TenureLicensingServer
import TenureStore
import TenureThreads
import Testing

@testable import TenurePostgres

@Suite struct ReadQueueTests {
    private static let validation = QueryPlan(goesFirst: true) { _ in }
    private static let renewal = QueryPlan(goesFirst: true) { _ in }
    private static let other = QueryPlan { _ in }
    private static let another = QueryPlan { _ in }

    /// Passes `count` waiting queries of a plan to `body`, and resumes their callers afterwards.
    private func withLooks(_ plan: QueryPlan<Void, Void>, _ count: Int, _ body: ([WaitingQuery]) async -> Void) async {
        let made = Monitor<[WaitingQuery]>([])
        let callers = (0..<count).map { _ in
            Task.immediate {
                _ = await withCheckedContinuation { caller in
                    let query = WaitingQuery(bound: plan.bind(), deadline: .never, caller: caller)
                    made.change { made in made.append(query) }
                }
            }
        }
        let queries = made.withLock { made in made }
        await body(queries)
        for query in queries { query.caller.resume(returning: .failure(.closed)) }
        for caller in callers { await caller.value }
    }

    private func plan(_ group: QueryGroup?) -> QueryPlanShape? { group?.waiting.first?.bound.plan }

    @Test func `the read queue runs a license validation before queued queries of other plans`() async {
        await withLooks(Self.validation, 1) { validations in
            await withLooks(Self.other, 300) { others in
                var queue = ReadQueue()
                for query in others { queue.add(query) }
                queue.add(validations[0])
                #expect(plan(queue.next()) === Self.validation.shape)
                #expect(plan(queue.next()) === Self.other.shape)
            }
        }
    }

    @Test func `under a stream of license validations, another query gets every fourth turn of the read queue`() async {
        await withLooks(Self.validation, 1) { validations in
            await withLooks(Self.other, 1) { others in
                var queue = ReadQueue()
                var turns: [Bool] = []
                for _ in 1...12 {
                    queue.add(validations[0])
                    queue.add(others[0])
                    turns.append(plan(queue.next()) === Self.other.shape)
                }
                #expect(turns == [false, false, false, true, false, false, false, true, false, false, false, true])
            }
        }
    }

    @Test(arguments: [(validation, renewal), (other, another)])
    func `two query plans of the same priority take turns`(stream: QueryPlan<Void, Void>, rare: QueryPlan<Void, Void>)
        async
    {
        await withLooks(stream, 1) { streaming in
            await withLooks(rare, 1) { asking in
                var queue = ReadQueue()
                queue.add(streaming[0])
                queue.add(asking[0])
                #expect(plan(queue.next()) === stream.shape)
                queue.add(streaming[0])
                #expect(plan(queue.next()) === rare.shape)
            }
        }
    }

    @Test func `waiting queries of one plan form groups of at most 128`() async {
        await withLooks(Self.validation, 130) { validations in
            var queue = ReadQueue()
            for query in validations { queue.add(query) }
            #expect(queue.next()?.waiting.count == 128)
            #expect(queue.next()?.waiting.count == 2)
            let rest = queue.next()
            #expect(rest == nil)
        }
    }
}
