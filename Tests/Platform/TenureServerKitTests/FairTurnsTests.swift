import Synchronization
import TenureServerKit
import Testing

@Suite struct FairTurnsTests {
    /// A queue whose only turn is held until ``open()``. It records the order in which later callers get their turns.
    final class Scene: Sendable {
        let queue = FairQueue<String>(atOnce: 1, waiting: 3, ofAll: 5)
        private let came = Mutex<[String]>([])
        private let gate: (wait: AsyncStream<Void>, open: AsyncStream<Void>.Continuation)

        init() {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            gate = (stream, continuation)
        }

        var order: [String] { came.withLock { $0 } }

        /// Takes the only turn and holds it.
        func hold() async -> Task<Void, any Error> {
            let (held, holds) = AsyncStream<Void>.makeStream()
            let task = Task {
                _ = try await queue.take("first") { [gate] in
                    holds.finish()
                    for await _ in gate.wait {}
                }
            }
            for await _ in held {}
            return task
        }

        /// Ends the turn that `hold` took.
        func open() { gate.open.finish() }

        /// Starts a caller with a name, and returns once the caller waits in the queue.
        func come(_ name: String) async -> Task<String, Never> {
            let before = queue.count
            let task = Task { () async -> String in
                do throws(ServerError) {
                    try await queue.take(name) { [self] in came.withLock { $0.append(name) } }
                    return "done"
                } catch {
                    return "\(error.code.text) \(error.isTransient)"
                }
            }
            while queue.count == before { await Task.yield() }
            return task
        }
    }

    @Test func `a fair queue admits waiting requests of different callers in turns`() async throws {
        let context = Scene()
        let holder = await context.hold()
        var all: [Task<String, Never>] = []
        for name in ["a", "a", "a", "b", "c"] { all.append(await context.come(name)) }
        context.open()
        try await holder.value
        for task in all { #expect(await task.value == "done") }
        #expect(context.order == ["a", "b", "c", "a", "a"])
        #expect(context.queue.count == 0)
    }

    @Test func `a fair queue immediately refuses a request over the caller's or the total limit on waiting requests`()
        async throws
    {
        let context = Scene()
        let holder = await context.hold()
        var all: [Task<String, Never>] = []
        for name in ["a", "a", "a"] { all.append(await context.come(name)) }
        await #expect(throws: ServerError.self) { try await context.queue.take("a") {} }
        for name in ["b", "c"] { all.append(await context.come(name)) }
        let refused = await #expect(throws: ServerError.self) { try await context.queue.take("d") {} }
        #expect(refused?.isTransient == true)
        context.open()
        try await holder.value
        for task in all { #expect(await task.value == "done") }
    }

    @Test func `a caller that is cancelled while waiting in a fair queue uses no turn`() async throws {
        let context = Scene()
        let holder = await context.hold()
        let (gone, stays) = (await context.come("a"), await context.come("a"))
        gone.cancel()
        #expect(await gone.value == "turns_busy true")
        #expect(context.queue.count == 1)
        context.open()
        try await holder.value
        #expect(await stays.value == "done" && context.order == ["a"])
    }
}
