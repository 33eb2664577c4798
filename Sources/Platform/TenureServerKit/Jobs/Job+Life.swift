public import TenureCore
import TenureStore

extension Job {
    /// The rules that apply to all jobs of a kind.
    public struct Rules: Sendable, Hashable {
        /// The times at which failed pieces of a job are retried.
        public let plan: Job.RetryPlan
        /// The number of slots for running jobs on all servers together, 1 to 64. ``JobsUnderWay`` assigns the slots
        /// to tenants.
        public let concurrency: Int
        /// How long a server may work on a piece of a job before another server may take it over, in seconds.
        public let timeout: Int64

        /// Creates rules. Clamps `concurrency` to 1...64, and `timeout` to at least one second.
        public init(plan: Job.RetryPlan = .standard, concurrency: Int = 4, timeout: Int64 = 300) {
            self.plan = plan
            self.concurrency = min(max(concurrency, 1), 64)
            self.timeout = max(timeout, 1)
        }
    }

    /// The way in which a piece of a job ended.
    public enum Ending<Payload: Sendable>: Sendable {
        /// The job is finished, so its row is deleted.
        case done
        /// The job continues at this time with this payload. That splits long work into pieces.
        case again(at: Timestamp, Payload)
        /// The piece failed with this message.
        ///
        /// The kind's retry plan decides when the piece is retried. If `forGood` is set, it's never retried
        /// automatically.
        case failed(String, forGood: Bool = false)
    }
}

// The state changes of jobs are pure functions that get the time as an argument.
extension Job {
    /// The result of a server's attempt to take a job.
    enum Taking: Sendable, Hashable {
        /// The server has taken the job, which is now in this state.
        case taken(Job)
        /// The job, now in this state, failed permanently, because its servers stopped or exceeded the time limit too
        /// often.
        case failed(Job)
        /// The job isn't due, has failed permanently, or has no free slot.
        case left
    }

    /// Takes the job for a server if the job is due and a slot is free.
    ///
    /// A running job is due if its server stopped or exceeded the time limit. That counts as a failure, because the
    /// job may be the cause.
    ///
    /// - Parameters:
    ///   - running: The running jobs of the same kind, including this job.
    ///   - othersWait: Whether another tenant has a due job of the kind.
    func taking(at now: Timestamp, by rules: Job.Rules, running: [Job], othersWait: Bool) -> Taking {
        let others = JobsUnderWay(running.filter { $0.id != id })
        guard state != .failed, dueAt <= now, others.hasSlot(for: tenant, by: rules, othersWait: othersWait) else {
            return .left
        }
        var job = self
        if state == .running {
            job.failures += 1
            job.failure = Self.lost
            if rules.plan.wait(after: job.failures, draw: 0) == nil {
                (job.state, job.dueAt) = (.failed, now)
                return .failed(job)
            }
        }
        job.state = .running
        job.attempt += 1
        job.dueAt = now.adding(seconds: rules.timeout)
        return .taken(job)
    }

    /// Whether the attempt in which `job` was taken still holds this stored job. It doesn't after another server has
    /// taken the job over.
    func isHeld(by job: Job) -> Bool { state == .running && attempt == job.attempt }

    /// Returns the job's state after a piece of it; `nil` if the job is finished.
    ///
    /// - Parameters:
    ///   - write: Encodes a payload.
    ///   - draw: A random number from ``Job.RetryPlan/draws``.
    func ended<Payload>(
        _ ending: Job.Ending<Payload>, at now: Timestamp, by rules: Job.Rules, draw: Int64, write: (Payload) -> String
    ) -> Job? {
        var job = self
        switch ending {
        case .done: return nil
        case .again(let time, let payload):
            (job.state, job.dueAt, job.payload) = (.waiting, time, write(payload))
            (job.failures, job.failure) = (0, nil)
        case .failed(let why, let forGood):
            job.failures += 1
            job.failure = String(why.prefix(Self.longestFailure))
            let wait = forGood ? nil : rules.plan.wait(after: job.failures, draw: draw)
            (job.state, job.dueAt) = wait.map { (.waiting, now.adding(seconds: $0)) } ?? (.failed, now)
        }
        return job
    }

    /// Returns a permanently failed job as due now, with every retry of its plan available again; `nil` for any other
    /// job.
    func retried(at now: Timestamp) -> Job? {
        guard state == .failed else { return nil }
        var job = self
        (job.state, job.dueAt, job.failures) = (.waiting, now, 0)
        return job
    }

    /// Returns the row writes that save the job's new state, where `nil` removes the job.
    ///
    /// A permanent failure is also recorded as an event.
    func saves(_ after: Job?, at now: Timestamp) -> [RowWrite] {
        guard let after else { return [.remove(self)] }
        let isLost = after.state == .failed && state != .failed
        return [.replace(self, by: after)] + (isLost ? after.event(.jobFailed, at: now, by: .time) : [])
    }

    /// Returns the row write of an event about this job; empty for a job without a tenant, which belongs to the server
    /// itself.
    func event(_ kind: EventKind, at now: Timestamp, by actor: Actor) -> [RowWrite] {
        guard let tenant else { return [] }
        let facts: [Reason.Evidence] = [
            .init("job", .text(id)), .init("kind", .text(self.kind)), .init("attempts", .number(Int64(attempt))),
            .init("failure", .text(failure ?? "")),
        ]
        let event = Event(kind, at: now, actor: actor, about: Event.Subject(tenant: tenant), facts: facts)
        return [.append(EventRecord(sequence: 0, event: event))]
    }

    private static let lost = "the server that ran it stopped, or took too long"
    private static let longestFailure = 500
}

extension EventKind {
    /// A job failed permanently.
    public static let jobFailed = EventKind(
        "job.failed", "A background job of the tenant failed permanently.", facts: ofJob, since: "0.1")
    /// An operator retried a job that had failed permanently.
    public static let jobRetried = EventKind(
        "job.retried", "The operator retried a background job that had failed permanently.", facts: ofJob, since: "0.1")

    private static let ofJob: [Fact] = [.text("job"), .text("kind"), .number("attempts"), .text("failure")]

    /// The kinds of events about jobs.
    public static let jobs: [EventKind] = [.jobFailed, .jobRetried]
}
