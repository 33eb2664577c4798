import TenureCore
public import TenureStore

/// Runs the jobs of one kind on this server.
///
/// One transaction takes a job and increments its attempt number. After a piece, another transaction saves the piece's
/// changes and the job's new state, but only if the attempt number is unchanged. So a server saves nothing after
/// another server took its job over.
///
/// A turn ends as soon as one piece ends, so that the next turn fills the free slot at once.
public struct JobRunner<Payload: Sendable>: Service {
    private let kind: Job.Kind<Payload>
    private let store: ServerStore
    private let clock: any WallClock
    private let log: any Log
    private let interval: Duration
    private let draw: @Sendable () -> Int64
    private let slots = JobSlots()
    private let earliest: EarliestJob?

    /// Creates a runner for a kind.
    ///
    /// - Parameters:
    ///   - earliest: Tells whether any job is due, so that runners of different kinds don't each query the store;
    ///     `nil` to query the store in each turn.
    ///   - interval: How often to check for due jobs. A server without running jobs checks at most every two seconds
    ///     if `earliest` is set.
    ///   - draw: Returns a random number from ``Job.RetryPlan/draws`` for the jitter of a wait.
    public init(
        _ kind: Job.Kind<Payload>, store: any Store, clock: any WallClock, log: any Log,
        earliest: EarliestJob? = nil, interval: Duration = .seconds(1),
        draw: @escaping @Sendable () -> Int64 = { .random(in: Job.RetryPlan.draws) }
    ) {
        self.kind = kind
        self.store = ServerStore(store)
        self.clock = clock
        self.log = log
        self.earliest = earliest
        self.interval = interval
        self.draw = draw
    }

    /// The service's name: `jobs_` and the kind with underscores, such as `jobs_mail_letter`.
    public var name: String { "jobs_" + kind.name.text.replacing(".", with: "_") }

    /// Starts the due jobs that have a free slot. Then waits until a piece ends, but at most for the interval.
    public func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let (now, isIdle) = (clock.now(), slots.jobs.isEmpty && !slots.haveEnded)
        if isIdle, let earliest, try await !earliest.isDue(at: now) {
            return .after(max(interval, EarliestJob.interval))
        }
        try await fillSlots()
        if slots.jobs.isEmpty, !slots.haveEnded { return .after(interval) }
        _ = try await slots.wait(atMost: interval)
        return .atOnce
    }

    /// Cancels the pieces that run on this server, and waits for them to end.
    public func finish() async throws(ServerError) { await slots.stop() }

    private func fillSlots() async throws(ServerError) {
        let now = clock.now()
        let jobs = try await DueJobs.read(kind.name.text, by: kind.rules, at: now, in: store)
        // A job that exceeds its kind's `timeout` is due again, but its piece may still be running on this server.
        let own = slots.jobs
        var due = jobs.due.filter { !own.contains($0.id) }
        let isDue = Set(due.map(\.id))
        var underWay = JobsUnderWay(jobs.running.filter { !isDue.contains($0.id) })
        // Other servers may take some of these jobs first. After `concurrency` such losses, this turn ends, and the
        // next one reads the due jobs again.
        var left = kind.rules.concurrency
        while left > 0, let (index, othersWait) = underWay.next(of: due, by: kind.rules) {
            let job = due.remove(at: index)
            guard case .taken(let running) = try await takeOrRead(job, othersWait: othersWait) else {
                left -= 1
                continue
            }
            underWay.add(running)
            slots.start(running.id) { try await serve(running) }
        }
    }

    /// Runs a piece of a taken job and saves the result.
    private func serve(_ job: Job) async throws(ServerError) {
        do throws(ServerError) {
            var attempts = RetryPolicy()
            while attempts.takeAttempt() {
                if try await finish(await work(on: job), of: job) { return }
                try await kind.refresh()
            }
        } catch {
            // The result can't be saved, so the job fails, unless the store is only temporarily unavailable.
            guard !error.isTransient else { throw error }
            try await finish(.ending(.failed(error.description), of: job), of: job)
            return
        }
        try await finish(.ending(.failed(Self.outdated), of: job), of: job)
    }

    /// Runs a piece and returns the work to save. A thrown error becomes work that saves the failure.
    private func work(on job: Job) async -> Job.Work<Payload> {
        guard let payload = kind.name.read(job.payload) else {
            return .ending(.failed("its payload can't be read", forGood: true), of: job)
        }
        do {
            return try await kind.run(payload, job, clock.now())
        } catch {
            return .ending(.failed(ServerError(thrown: error).description), of: job)
        }
    }

    /// Takes a job. If the store can't confirm that the commit is durable, reads whether the commit was made. If so,
    /// the job is taken, and no other server takes the same attempt.
    private func takeOrRead(_ job: Job, othersWait: Bool) async throws(ServerError) -> Job.Taking {
        do {
            return try await take(job.id, othersWait: othersWait)
        } catch {
            guard error.code == .storeUnconfirmed else { throw error }
            let plan = JobRunnerQueryPlans.taking
            let stored = try await store.fetch(plan.bind(.init(job: job.id, kind: job.kind)))[plan.queries.job]
            guard let stored, stored.state == .running, stored.attempt == job.attempt + 1 else { throw error }
            return .taken(stored)
        }
    }

    private func take(_ id: String, othersWait: Bool) async throws(ServerError) -> Job.Taking {
        let (now, plan, rules) = (clock.now(), JobRunnerQueryPlans.taking, kind.rules)
        let queries = plan.queries
        let change = Transaction(plan.bind(.init(job: id, kind: kind.name.text))) { results in
            guard let job = results[queries.job] else { return TransactionResult(Job.Taking.left) }
            let taking = job.taking(at: now, by: rules, running: results[queries.running], othersWait: othersWait)
            switch taking {
            case .left: return TransactionResult(taking)
            case .taken(let after), .failed(let after): return TransactionResult(taking, job.saves(after, at: now))
            }
        }
        return try await store.perform(change)
    }

    /// Saves the work and the job's new state, unless another server has taken the job over.
    ///
    /// Returns `false` if nothing was saved because the piece must run again.
    @discardableResult
    private func finish(_ work: Job.Work<Payload>, of running: Job) async throws(ServerError) -> Bool {
        let (now, draw, kind) = (clock.now(), draw(), kind)
        let change = Transaction(work.bound) { results -> TransactionResult<JobSave> in
            guard let job = results[work.job], job.isHeld(by: running) else { return TransactionResult(.overtaken) }
            guard let (ending, saves) = work.decide(results) else { return TransactionResult(.outdated) }
            let after = job.ended(ending, at: now, by: kind.rules, draw: draw, write: kind.name.write)
            return TransactionResult(.saved, saves + job.saves(after, at: now))
        }
        switch try await store.perform(change) {
        case .saved: return true
        case .outdated: return false
        case .overtaken:
            log.write(LogLine(.warning, "job_overtaken", [("job", .text(running.id)), ("kind", .text(running.kind))]))
            return true
        }
    }

    private static var outdated: String { "what it depends on changed during each of several attempts" }
}

/// The result of saving a piece's work.
private enum JobSave: Sendable {
    case saved
    /// Another server has taken the job over.
    case overtaken
    /// The piece used an outdated catalog, or its prepared values don't fit the rows of the transaction.
    case outdated
}

private enum JobRunnerQueryPlans {
    /// The parameters for taking a job: its id and kind.
    struct Taking: Sendable {
        let job: String
        let kind: String
    }

    static let taking = QueryPlan(for: Taking.self) { query in
        query.hold(Job.turn) { [.of($0.kind)] }
        return (
            job: query.row(Job.table.key) { [.of($0.job)] },
            running: query.rows(
                Job.ofKind, upTo: Job.Rules.most, .request { .of($0.kind) }, .constant(Job.State.running))
        )
    }
}
