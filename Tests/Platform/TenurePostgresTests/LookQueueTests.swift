import TenureLicensingServer
import TenureStore
import TenureThreads
import Testing

@testable import TenurePostgres

@Suite struct LookQueueTests {
    private static let validation = QueryPlan(goesFirst: true) { _ in }
    private static let renewal = QueryPlan(goesFirst: true) { _ in }
    private static let other = QueryPlan { _ in }
    private static let another = QueryPlan { _ in }

    /// Passes `count` waiting queries of a plan to `body`, and resumes their callers afterwards.
    private func withLooks(_ form: QueryPlan<Void, Void>, _ count: Int, _ body: ([WaitingQuery]) async -> Void) async {
        let made = Monitor<[WaitingQuery]>([])
        let callers = (0..<count).map { _ in
            Task.immediate {
                _ = await withCheckedContinuation { caller in
                    let look = WaitingQuery(asked: form.asked(), deadline: .never, caller: caller)
                    made.change { made in made.append(look) }
                }
            }
        }
        let looks = made.withLock { made in made }
        await body(looks)
        for look in looks { look.caller.resume(returning: .failure(.closed)) }
        for caller in callers { await caller.value }
    }

    private func form(_ group: LookGroup?) -> QueryPlanShape? { group?.waiting.first?.asked.form }

    @Test func `a validation is answered under a stream of other looks`() async {
        await withLooks(Self.validation, 1) { validations in
            await withLooks(Self.other, 300) { others in
                var queue = LookQueue()
                for look in others { queue.add(look) }
                queue.add(validations[0])
                #expect(form(queue.next()) === Self.validation.shape)
                #expect(form(queue.next()) === Self.other.shape)
            }
        }
    }

    @Test func `another look is answered under a stream of validations, at the latest in the fourth turn`() async {
        await withLooks(Self.validation, 1) { validations in
            await withLooks(Self.other, 1) { others in
                var queue = LookQueue()
                var turns: [Bool] = []
                for _ in 1...12 {
                    queue.add(validations[0])
                    queue.add(others[0])
                    turns.append(form(queue.next()) === Self.other.shape)
                }
                #expect(turns == [false, false, false, true, false, false, false, true, false, false, false, true])
            }
        }
    }

    @Test(arguments: [(validation, renewal), (other, another)])
    func `of two forms of one rank neither waits for a stream of the other`(
        stream: QueryPlan<Void, Void>, rare: QueryPlan<Void, Void>
    ) async {
        await withLooks(stream, 1) { streaming in
            await withLooks(rare, 1) { asking in
                var queue = LookQueue()
                queue.add(streaming[0])
                queue.add(asking[0])
                #expect(form(queue.next()) === stream.shape)
                queue.add(streaming[0])
                #expect(form(queue.next()) === rare.shape)
            }
        }
    }

    @Test func `looks of one form that wait go together`() async {
        await withLooks(Self.validation, 130) { validations in
            var queue = LookQueue()
            for look in validations { queue.add(look) }
            #expect(queue.next()?.waiting.count == 128)
            #expect(queue.next()?.waiting.count == 2)
            let rest = queue.next()
            #expect(rest == nil)
        }
    }
}
