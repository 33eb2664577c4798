import TenureCore
import TenureStore
import Testing

@testable import TenureServerKit

/// Tests the rules for jobs: when a job may start, and its state after an attempt.
@Suite struct JobLifeTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let rules = Job.Rules(
        plan: Job.RetryPlan(waits: [10, 60], jitterPercent: 0), concurrency: 2, timeout: 300)

    private static func job(
        _ state: Job.State = .waiting, due seconds: Int64 = 0, attempt: Int = 3, failures: Int = 0,
        failure: String? = nil, payload: String = "{}"
    ) -> Job {
        Job(
            id: "job_1", kind: "test", tenant: TenantID("acme"), dueAt: now.adding(seconds: seconds), attempt: attempt,
            state: state, payload: payload, failures: failures, failure: failure)
    }

    @Test(
        arguments: [
            (1, 0, 10), (2, 0, 60), (3, 0, nil), (4, 0, nil), (1, 500, 11), (1, 1_000, 12), (2, 1_000, 72),
            (1, 9_999, 12),
            (1, -1, 10),
        ] as [(Int, Int64, Int64?)])
    func `a retry plan waits longer each time, within its jitter, and ends after its last attempt`(
        failures: Int, draw: Int64, wait: Int64?
    ) {
        let plan = Job.RetryPlan(waits: [10, 60], jitterPercent: 20)
        #expect(plan.wait(after: failures, draw: draw) == wait)
        #expect(plan.lastAttempt == 3)
    }

    @Test func `a retry plan without waits allows one attempt`() {
        #expect(Job.RetryPlan(waits: []).wait(after: 1, draw: 0) == nil)
        #expect(Job.RetryPlan(waits: []).lastAttempt == 1)
    }

    @Test(
        arguments: [
            (Job.State.waiting, 0, 0, true), (.waiting, 1, 0, false), (.waiting, -1, 0, true), (.waiting, 0, 1, true),
            (.waiting, 0, 2, false), (.running, 0, 1, true), (.running, 1, 1, false), (.running, 0, 2, true),
            (.running, 0, 3, false), (.failed, -9, 0, false),
        ] as [(Job.State, Int64, Int, Bool)])
    func `a waiting job, or a running one whose lease has ended, starts if it is due and a slot is free`(
        state: Job.State, due: Int64, running: Int, isTaken: Bool
    ) {
        let job = Self.job(state, due: due)
        let others = (0..<(state == .running ? running - 1 : running)).map { number in
            Job(
                id: "job_other\(number)", kind: "test", tenant: job.tenant, dueAt: Self.now, state: .running,
                payload: "{}")
        }
        let taking = job.taking(
            at: Self.now, by: Self.rules, running: others + (state == .running ? [job] : []), othersWait: false)
        #expect((taking != .left) == isTaken)
        guard case .taken(let job) = taking else { return }
        #expect(job.state == .running && job.attempt == 4)
        #expect(job.dueAt == Self.now.adding(seconds: 300))
    }

    @Test(arguments: [(0, false), (1, false), (2, true)])
    func `the end of a running job's lease adds a failed attempt, and fails the job if it was the last one`(
        failures: Int, isLast: Bool
    ) {
        let job = Self.job(.running, failures: failures)
        let taking = job.taking(at: Self.now, by: Self.rules, running: [job], othersWait: false)
        switch taking {
        case .taken(let job): #expect(!isLast && job.failures == failures + 1 && job.failure != nil)
        case .failed(let job): #expect(isLast && job.state == .failed && job.attempt == 3 && job.dueAt == Self.now)
        case .left: Issue.record("the job was left unchanged")
        }
    }

    @Test(arguments: [
        (Job.State.running, 3, true), (.running, 4, false), (.running, 2, false), (.waiting, 3, false),
        (.failed, 3, false),
    ])
    func `an attempt holds a job's lease while the job runs and no later attempt has started`(
        state: Job.State, attempt: Int, isHeld: Bool
    ) {
        #expect(Self.job(state, attempt: attempt).isHeld(by: Self.job(.running)) == isHeld)
    }

    private func ended(_ ending: Job.Ending<String>, failures: Int = 1) -> Job? {
        Self.job(.running, failures: failures, failure: "before").ended(
            ending, at: Self.now, by: Self.rules, draw: 0, write: { $0 })
    }

    @Test func `a finished job is removed, and one with a next step waits again with its count of failures reset`() {
        #expect(ended(.done) == nil)
        #expect(
            ended(.again(at: Self.now.adding(seconds: 5), "next"))
                == Self.job(.waiting, due: 5, failures: 0, failure: nil, payload: "next"))
    }

    @Test(
        arguments: [
            (0, false, Job.State.waiting, 10), (1, false, .waiting, 60), (2, false, .failed, 0), (0, true, .failed, 0),
        ] as [(Int, Bool, Job.State, Int64)])
    func `a failed attempt is retried by the job's plan, unless the plan has ended or the failure is permanent`(
        failures: Int, forGood: Bool, state: Job.State, wait: Int64
    ) {
        #expect(
            ended(.failed("no answer", forGood: forGood), failures: failures)
                == Self.job(state, due: wait, failures: failures + 1, failure: "no answer"))
    }

    @Test func `the text of a job's failure is stored up to 500 characters`() {
        #expect(ended(.failed(String(repeating: "a", count: 2_000)))?.failure?.count == 500)
    }

    @Test func `only a permanently failed job can be retried, and it gets all attempts of its plan again`() {
        #expect(Self.job(.waiting).retried(at: Self.now) == nil)
        #expect(Self.job(.running).retried(at: Self.now) == nil)
        #expect(
            Self.job(.failed, due: -7, failures: 3, failure: "x").retried(at: Self.now)
                == Self.job(.waiting, failures: 0, failure: "x"))
    }

    @Test func `a job's permanent failure is recorded as one event, and only if the job has a tenant`() throws {
        let lost = Self.job(.failed, failures: 3, failure: "x")
        let events = Self.job(.running).saves(lost, at: Self.now).compactMap(\.event)
        #expect(events.map(\.kind) == [.jobFailed])
        #expect(EventKind.jobFailed.facts.faults(in: try #require(events.first).facts) == [])
        #expect(lost.saves(lost, at: Self.now).compactMap(\.event).isEmpty)
        #expect(Self.job(.running).saves(Self.job(.waiting), at: Self.now).compactMap(\.event).isEmpty)
        let own = Job(id: "job_2", kind: "test", tenant: nil, dueAt: Self.now, state: .failed, payload: "{}")
        #expect(own.event(.jobFailed, at: Self.now, by: .time).isEmpty)
    }
}
