import TenureThreads
import Testing

@Suite struct WorkerPoolTests {
    /// Creates a pool of one thread that is busy until the value of `hold` becomes false.
    private func heldLane(limit: Int) async throws -> (
        lane: WorkerPool<Void>, hold: Monitor<Bool>, held: Task<Void, any Error>
    ) {
        let lane = try WorkerPool<Void>(threads: 1, limit: limit) {}
        let hold = Monitor(true)
        let began = Monitor(false)
        let held = Task.immediate {
            try await lane.does { _ in
                began.change { began in began = true }
                hold.wait { isHeld in isHeld ? nil : () }
            }
        }
        began.wait { began in began ? () : nil }
        return (lane, hold, held)
    }

    @Test func `a worker thread creates one resource and uses it for all of its work`() async throws {
        let created = Monitor(0)
        let lane = try WorkerPool(threads: 1, limit: 8) {
            created.change { count in
                count += 1; return count
            }
        }
        for _ in 1...3 { #expect(try await lane.does { tool in tool } == 1) }
        #expect(created.withLock { count in count } == 1)
        await lane.stop()
    }

    @Test func `work over a pool's limit is refused immediately`() async throws {
        let (lane, hold, held) = try await heldLane(limit: 1)
        let waiting = Task.immediate { try await lane.does { _ in 1 } }
        await #expect(throws: WorkerPoolRefusal.full) { try await lane.does { _ in 2 } }
        hold.change { isHeld in isHeld = false }
        #expect(try await waiting.value == 1)
        try await held.value
    }

    @Test func `a worker pool refuses work whose deadline passed in its queue, and doesn't start it`() async throws {
        let (lane, hold, held) = try await heldLane(limit: 8)
        let begun = Monitor<[String]>([])
        let deadline = SteadyTime.now().advanced(by: .milliseconds(1))
        let late = Task.immediate {
            try await Deadline.$current.withValue(deadline) {
                try await lane.does { _ in begun.change { begun in begun.append("late") } }
            }
        }
        let inTime = Task.immediate {
            try await Deadline.$current.withValue(.now().advanced(by: .seconds(3600))) {
                try await lane.does { _ in begun.change { begun in begun.append("in time") } }
            }
        }
        let _: Void? = Monitor(()).wait(until: deadline) { _ in nil }
        hold.change { isHeld in isHeld = false }
        await #expect(throws: WorkerPoolRefusal.late) { try await late.value }
        try await inTime.value
        try await held.value
        #expect(begun.withLock { begun in begun } == ["in time"])
    }

    @Test func `a stopping pool runs queued work and accepts no more`() async throws {
        let (lane, hold, held) = try await heldLane(limit: 8)
        let waiting = Task.immediate { try await lane.does { _ in 1 } }
        let stopping = Task.immediate { await lane.stop() }
        await #expect(throws: WorkerPoolRefusal.closed) { try await lane.does { _ in 2 } }
        hold.change { isHeld in isHeld = false }
        #expect(try await waiting.value == 1)
        try await held.value
        await stopping.value
    }

    @Test func `an error that a pool's work throws reaches the caller of the work`() async throws {
        struct Broken: Error, Equatable {}
        let lane = try WorkerPool<Void>(threads: 1, limit: 8) {}
        await #expect(throws: Broken()) {
            try await lane.run { _ throws(Broken) -> Int in
                throw Broken()
            } refused: { _ in
                Broken()
            }
        }
        #expect(try await lane.does { _ in 1 } == 1)
    }

    @Test func `when a worker pool is deallocated, its thread releases its resource`() async throws {
        final class Tool: Sendable {
            let ended: Monitor<Bool>
            init(_ ended: Monitor<Bool>) { self.ended = ended }
            deinit { ended.change { ended in ended = true } }
        }
        let ended = Monitor(false)
        do {
            let lane = try WorkerPool(threads: 1, limit: 8) { Tool(ended) }
            try await lane.does { _ in }
        }
        ended.wait { ended in ended ? () : nil }
    }
}

@Suite struct SteadyTimeTests {
    @Test func `adding to a monotonic time saturates at the unlimited deadline, which never passes`() {
        #expect(!SteadyTime.never.hasCome)
        #expect(SteadyTime.now().advanced(by: .seconds(Int64.max)) == .never)
        #expect(SteadyTime.never.advanced(by: .nanoseconds(1)) == .never)
    }

    @Test func `advancing a monotonic time by a duration is exact to the nanosecond`() {
        let now = SteadyTime.now()
        let later = now.advanced(by: .seconds(2) + .nanoseconds(3))
        #expect(now.duration(to: later) == .seconds(2) + .nanoseconds(3))
        #expect(later.duration(to: now) == .zero)
        #expect(now.hasCome && now < later)
    }
}

extension WorkerPool {
    /// Runs work that can't throw.
    fileprivate func does<Value: Sendable>(
        _ work: @escaping @Sendable (Tool) -> Value
    ) async throws(WorkerPoolRefusal) -> Value {
        try await run { tool throws(WorkerPoolRefusal) in
            work(tool)
        } refused: { refusal in
            refusal
        }
    }
}
