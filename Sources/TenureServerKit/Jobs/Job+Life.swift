public import TenureCore
import TenureStore

/// What holds for all jobs of a kind.
public struct JobRules: Sendable, Hashable {
    /// When one that failed is tried again.
    public let plan: RetryPlan
    /// How many slots there are for them, on all servers together; 1...64. See ``JobsUnderWay`` for who gets them.
    public let concurrency: Int
    /// How long a server has for a piece of one before another may take it, in seconds.
    public let patience: Int64

    /// States the rules.
    public init(plan: RetryPlan = .standard, concurrency: Int = 4, patience: Int64 = 300) {
        self.plan = plan
        self.concurrency = min(max(concurrency, 1), 64)
        self.patience = max(patience, 1)
    }
}

/// How a piece of a job ended.
public enum JobEnding<Payload: Sendable>: Sendable {
    /// There is nothing left to do.
    case done
    /// There is more to do, at that moment, and this is what has to be known for it: long work goes in pieces.
    case again(at: Timestamp, Payload)
    /// It came to nothing, and why; what is tried again and when says the plan of its kind, unless it can never succeed.
    case failed(String, forGood: Bool = false)
}

// The law of jobs: pure, and time is an argument.
extension Job {
    /// What comes of a server's wish to work on a job.
    enum Taking: Sendable, Hashable {
        /// It is the server's now.
        case taken(Job)
        /// The server that had it was given up once too often.
        case failed(Job)
        /// It is not due, or enough others of its kind are under way.
        case left
    }

    /// Lets a server take it, if it is due.
    ///
    /// That it was running and is due all the same is a failure: the server that had it died or took too long, perhaps
    /// because of it.
    /// - Parameters:
    ///   - running: The jobs of its kind that are under way, itself among them.
    ///   - othersWait: Whether another tenant has a job of the kind that is due.
    func taking(at now: Timestamp, by rules: JobRules, running: [Job], othersWait: Bool) -> Taking {
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
        job.dueAt = now.adding(seconds: rules.patience)
        return .taken(job)
    }

    /// Whether a server that took it so still has it.
    func isHeld(by taken: Job) -> Bool { state == .running && attempt == taken.attempt }

    /// The job after a piece of it; nil when it is done.
    /// - Parameters:
    ///   - write: Writes a payload down.
    ///   - draw: Drawn from ``RetryPlan/draws``.
    func ended<Payload>(
        _ ending: JobEnding<Payload>, at now: Timestamp, by rules: JobRules, draw: Int64, write: (Payload) -> String
    ) -> Job? {
        var job = self
        switch ending {
        case .done: return nil
        case .again(let moment, let payload):
            (job.state, job.dueAt, job.payload) = (.waiting, moment, write(payload))
            (job.failures, job.failure) = (0, nil)
        case .failed(let why, let forGood):
            job.failures += 1
            job.failure = String(why.prefix(Self.longestFailure))
            let wait = forGood ? nil : rules.plan.wait(after: job.failures, draw: draw)
            (job.state, job.dueAt) = wait.map { (.waiting, now.adding(seconds: $0)) } ?? (.failed, now)
        }
        return job
    }

    /// The job when an operator wants one that failed to be tried again, by the whole plan; nil when it did not fail.
    func retried(at now: Timestamp) -> Job? {
        guard state == .failed else { return nil }
        var job = self
        (job.state, job.dueAt, job.failures) = (.waiting, now, 0)
        return job
    }

    /// Saves another state of it, nil for its end; that it failed for good is an event of its tenant's.
    func saves(_ after: Job?, at now: Timestamp) -> [Save] {
        guard let after else { return [.remove(self)] }
        let isLost = after.state == .failed && state != .failed
        return [.replace(self, by: after)] + (isLost ? after.event(.jobFailed, at: now, by: .time) : [])
    }

    /// What is recorded of it; a job of the server's own is nobody's to be told of.
    func event(_ kind: EventKind, at now: Timestamp, by actor: Actor) -> [Save] {
        guard let tenant else { return [] }
        let facts: [Reason.Evidence] = [
            .init("job", .text(id)), .init("kind", .text(self.kind)), .init("attempts", .number(Int64(attempt))),
            .init("failure", .text(failure ?? "")),
        ]
        let event = Event(kind, at: now, actor: actor, about: Event.Subject(tenant: tenant), facts: facts)
        return [.append(EventRecord(sequence: 0, event: event))]
    }

    private static let lost = "the server that had it died, or needed too long"
    private static let longestFailure = 500
}

extension EventKind {
    /// A job failed for good.
    public static let jobFailed = EventKind(
        "job.failed", "Work that the server had to do for the tenant failed for good.", facts: ofJob, since: "0.1")
    /// An operator let a job that failed for good be tried again.
    public static let jobRetried = EventKind(
        "job.retried", "The operator let work that had failed for good be tried again.", facts: ofJob, since: "0.1")

    private static let ofJob: [Fact] = [.text("job"), .text("kind"), .number("attempts"), .text("failure")]

    /// The kinds of this family.
    public static let jobs: [EventKind] = [.jobFailed, .jobRetried]
}
