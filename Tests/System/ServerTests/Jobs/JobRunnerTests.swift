import Synchronization
import TenureCore
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// How one process runs jobs. `Tests/System/Servers/test_jobs.py` covers killed processes and two servers.
@Suite struct JobRunnerTests {
    /// Records deliveries and makes some of them fail.
    private final class Outside: Sendable {
        private let state = Mutex<(delivered: [String], broken: Int)>(([], 0))
        var delivered: [String] { state.withLock { $0.delivered } }
        /// Makes the next `count` deliveries fail.
        func breakDown(_ count: Int) { state.withLock { $0.broken = count } }

        func deliver(_ job: Job, _ piece: Int64) throws(ServerError) {
            let isBroken = state.withLock { state in
                if state.broken > 0 {
                    state.broken -= 1
                    return true
                }
                state.delivered.append("\(job.id) \(piece) \(job.attempt)")
                return false
            }
            if isBroken { throw ServerError(.store, "nobody is there") }
        }
    }

    private let store: WatchedStore
    private let clock = ManualClock(at: Timestamp(seconds: 1_800_000_000))
    private let log = RecordedLog()
    private let outside = Outside()
    private let acme = TenantID("acme")

    init() throws {
        store = WatchedStore(try SQLiteStore.inMemory(.tenure), fault: FeatureSet.tenure.registry.fault(in:))
    }

    private func runner(
        concurrency: Int = 2, deliver: RelayFeature.Deliver? = nil
    ) -> JobRunner<RelayFeature.Relay> {
        let outside = outside
        let rules = Job.Rules(
            plan: Job.RetryPlan(waits: [10, 60], jitterPercent: 50), concurrency: concurrency, timeout: 300)
        let standard: RelayFeature.Deliver = { job, piece async throws(ServerError) in try outside.deliver(job, piece) }
        let kind = RelayFeature.kind(rules: rules, deliver: deliver ?? standard)
        return JobRunner(kind, store: store, clock: clock, log: log, draw: { 1_000 })
    }

    private func order(_ pieces: Int64, of tenant: String = "acme") async throws -> String {
        var random = SystemRandomNumberGenerator()
        let id = Job.ID.random(using: &random)
        try await store.perform(RelayFeature.order(pieces, id: id, of: TenantID(tenant), at: clock.now()))
        return id.text
    }

    private func note(_ job: String, _ piece: Int64) async throws -> String? {
        try await store.setting(RelayFeature.note(of: job, piece)).map { String(decoding: $0, as: UTF8.self) }
    }

    private var jobs: [Job] {
        get async throws { try await store.jobs([.failed, .running, .waiting], limit: 100) }
    }

    private func events() async throws -> [EventKind] {
        try await store.all(EventRecord.table.all).map(\.event.kind)
    }

    @Test func `a job saves its progress after each step, and is removed when it is done`() async throws {
        let (job, runner) = (try await order(2), runner())
        #expect(try await runner.turn(as: nil) == .atOnce)
        #expect(try await jobs.map(\.payload) == [#"{"pieces":2,"next":1}"#])
        #expect(try await note(job, 0) == "1")
        #expect(try await runner.turn(as: nil) == .atOnce)
        #expect(try await jobs.isEmpty)
        #expect(try await note(job, 1) == "2")
        #expect(try await runner.turn(as: nil) == .after(.seconds(1)))
        #expect(outside.delivered == ["\(job) 0 1", "\(job) 1 2"])
    }

    @Test func `a job is retried after the waits of its retry plan, and then only by an operator`() async throws {
        let (job, runner) = (try await order(1), runner())
        outside.breakDown(3)
        for wait in [15, 90] as [Int64] {
            _ = try await runner.turn(as: nil)
            #expect(try await jobs.map(\.dueAt) == [clock.now().adding(seconds: wait)])
            clock.advance(seconds: wait - 1)
            #expect(try await runner.turn(as: nil) == .after(.seconds(1)))
            clock.advance(seconds: 1)
        }
        _ = try await runner.turn(as: nil)
        let failed = try #require(try await jobs.first)
        #expect(failed.state == .failed && failed.failure?.contains("nobody is there") == true)
        #expect(try await events() == [.jobFailed])
        clock.advance(days: 30)
        #expect(try await runner.turn(as: nil) == .after(.seconds(1)))

        let context = FeatureContext(store, clock: clock)
        #expect(try await context.retryJob(job, by: .operator("test"))?.hasChanged == true)
        #expect(try await events() == [.jobFailed, .jobRetried])
        #expect(try await context.retryJob(job, by: .operator("test"))?.hasChanged == false)
        _ = try await runner.turn(as: nil)
        #expect(try await jobs.isEmpty)
        #expect(try await note(job, 0) == "4")
        let gone = try await context.retryJob(job, by: .operator("test"))
        #expect(gone == nil)
        #expect(try await events() == [.jobFailed, .jobRetried])
    }

    @Test func `a job's results aren't saved if its lease ended and another server completed it`() async throws {
        let job = try await order(1)
        let (clock, outside) = (clock, outside)
        // While the first runner delivers, its lease ends. Another runner takes the job and completes it.
        let other = runner()
        let slow = runner { job, piece async throws(ServerError) in
            try outside.deliver(job, piece)
            clock.advance(seconds: 300)
            _ = try await other.turn(as: nil)
        }
        _ = try await slow.turn(as: nil)
        #expect(outside.delivered == ["\(job) 0 1", "\(job) 0 2"])
        #expect(try await note(job, 0) == "2")
        #expect(try await jobs.isEmpty)
        #expect(log.lines.map(\.event) == ["job_overtaken"])
    }

    @Test func `a job's results aren't saved if another server has taken it over`() async throws {
        let job = try await order(1)
        let (store, outside) = (store, outside)
        let runner = runner { job, piece async throws(ServerError) in
            try outside.deliver(job, piece)
            var result = job
            result.attempt += 1
            let save = RowWrite.replace(job, by: result)
            do throws(StoreError) { try await store.perform(Transaction { TransactionResult((), [save]) }) } catch {
                throw ServerError(error)
            }
        }
        _ = try await runner.turn(as: nil)
        #expect(try await jobs.map(\.attempt) == [2])
        #expect(try await jobs.map(\.state) == [.running])
        #expect(try await note(job, 0) == nil)
        #expect(log.lines.map(\.event) == ["job_overtaken"])
    }

    @Test func `a job's failure isn't counted if its lease ended and another server took it over`() async throws {
        let job = try await order(2)
        let (clock, outside) = (clock, outside)
        let other = runner()
        let slow = runner { _, _ async throws(ServerError) in
            clock.advance(seconds: 300)
            _ = try await other.turn(as: nil)
            throw ServerError(.store, "too late")
        }
        _ = try await slow.turn(as: nil)
        let left = try #require(try await jobs.first)
        #expect(left.state == .waiting && left.attempt == 2 && left.failures == 0)
        #expect(outside.delivered == ["\(job) 0 2"])
    }

    @Test func `jobs of one kind don't exceed the kind's limit of concurrent jobs`() async throws {
        for _ in 0..<5 { _ = try await order(1) }
        let most = Mutex((now: 0, most: 0))
        let store = store
        let runner = runner(concurrency: 2) { _, _ async throws(ServerError) in
            do throws(StoreError) {
                let running = try await store.jobs([.running], limit: 100).count
                most.withLock { $0.most = max($0.most, running) }
            } catch {
                throw ServerError(error)
            }
        }
        while try await runner.turn(as: nil) == .atOnce {}
        #expect(try await jobs.isEmpty)
        #expect(most.withLock { $0.most } <= 2)
    }

    @Test(.timeLimit(.minutes(1))) func `the next job starts in a free slot while another job runs`() async throws {
        let (slow, gate, outside) = (try await order(1), Gate(), outside)
        let runner = runner(concurrency: 2) { job, piece async throws(ServerError) in
            if job.id == slow { await gate.wait() }
            try outside.deliver(job, piece)
        }
        for _ in 0..<3 { _ = try await order(1) }
        // A delivered job is still listed until its result is saved.
        while try await jobs.map(\.id) != [slow] { _ = try await runner.turn(as: nil) }
        #expect(outside.delivered.count == 3)
        gate.open()
        while try await !jobs.isEmpty { _ = try await runner.turn(as: nil) }
        #expect(outside.delivered.last == "\(slow) 0 1")
    }

    @Test(.timeLimit(.minutes(1))) func `80 jobs of a tenant whose deliveries hang don't delay another tenant's jobs`()
        async throws
    {
        let (gate, outside) = (Gate(), outside)
        let runner = runner(concurrency: 4) { job, piece async throws(ServerError) in
            if job.tenant == TenantID("acme") { await gate.wait() }
            try outside.deliver(job, piece)
        }
        // While acme is the only tenant with jobs, it gets all four slots. Its other 76 jobs wait.
        for _ in 0..<80 { _ = try await order(1) }
        _ = try await runner.turn(as: nil)
        #expect(try await store.jobs([.running], limit: 100).count == 4)
        for _ in 0..<3 { _ = try await order(1, of: "zeta") }
        while try await jobs.contains(where: { $0.tenant == TenantID("zeta") }) { _ = try await runner.turn(as: nil) }
        #expect(outside.delivered.count == 3)
        #expect(try await store.jobs([.running], limit: 100).map(\.tenant) == [acme, acme, acme, acme])
        gate.open()
        while try await runner.turn(as: nil) == .atOnce {}
        #expect(try await jobs.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `a stopping server cancels running jobs and waits for them`() async throws {
        let job = try await order(1)
        let ended = Mutex(false)
        let runner = runner { _, _ async throws(ServerError) in
            do { try await Task.sleep(for: .seconds(3_600)) } catch { ended.withLock { $0 = true } }
            throw ServerError(.store, "cancelled")
        }
        let turn = Task { try await runner.turn(as: nil) }
        while try await store.jobs([.running], limit: 1).isEmpty { await Task.yield() }
        turn.cancel()
        _ = try await turn.value
        try await runner.finish()
        #expect(ended.withLock { $0 })
        #expect(try await jobs.map(\.id) == [job])
    }

    @Test func `a job with an unreadable payload fails permanently at the first attempt`() async throws {
        let job = Job(id: "job_x", kind: "test.relay", tenant: acme, dueAt: clock.now(), payload: "[]")
        try await store.perform(Transaction { TransactionResult((), [.insert(job)]) })
        _ = try await runner().turn(as: nil)
        #expect(try await jobs.map(\.state) == [.failed])
        #expect(try await events() == [.jobFailed])
    }

    @Test func `a job's attempt fails if its results violate a unique key, and the stored failure names the key`()
        async throws
    {
        let job = try await order(1)
        // The piece's row exists already, which can't happen in normal operation.
        try await store.perform(
            Transaction {
                TransactionResult((), [.insert(SettingRecord(name: RelayFeature.note(of: job, 0), value: [1]))])
            })
        _ = try await runner().turn(as: nil)
        let left = try #require(try await jobs.first)
        #expect(left.state == .waiting && left.failures == 1 && left.failure?.contains("settings.key") == true)
    }

    @Test func `jobs of an unknown kind are left to other servers`() async throws {
        let job = Job(id: "job_x", kind: "test.other", tenant: acme, dueAt: clock.now(), payload: "{}")
        try await store.perform(Transaction { TransactionResult((), [.insert(job)]) })
        #expect(try await runner().turn(as: nil) == .after(.seconds(1)))
        #expect(try await jobs == [job])
    }
}

/// Suspends callers until `open` is called.
private final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { caller in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(caller) }
                return state.isOpen
            }
            if isOpen { caller.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for caller in waiting { caller.resume() }
    }
}
