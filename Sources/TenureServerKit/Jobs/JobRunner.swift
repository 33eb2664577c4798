import TenureCore
public import TenureStore

/// Does the jobs of one kind, on every server: takes what is due, does a piece of each, saves what came of it.
///
/// A job is taken in a change of its own, which raises its attempt. What a piece changes is saved in one change with the
/// job's new state, and only if the attempt is still the same: so a server that was given up, and goes on all the same,
/// saves nothing.
public struct JobRunner<Payload: Sendable>: Service {
    private let kind: JobKind<Payload>
    private let store: any Store
    private let clock: any WallClock
    private let log: any Log
    private let interval: Duration
    private let draw: @Sendable () -> Int64

    /// Runs a kind.
    /// - Parameters:
    ///   - interval: How often jobs are looked for while there are none.
    ///   - draw: Draws the jitter of a wait from ``RetryPlan/draws``.
    public init(
        _ kind: JobKind<Payload>, store: any Store, clock: any WallClock, log: any Log,
        interval: Duration = .seconds(1), draw: @escaping @Sendable () -> Int64 = { .random(in: RetryPlan.draws) }
    ) {
        self.kind = kind
        self.store = store
        self.clock = clock
        self.log = log
        self.interval = interval
        self.draw = draw
    }

    /// `jobs_` and the kind, such as `jobs_mail_letter`.
    public var name: String { "jobs_" + kind.name.text.replacing(".", with: "_") }

    /// Does a piece of each job that is due, as many at once as the kind allows.
    public func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let due = try await asking { () async throws(StoreError) in try await dueJobs(at: clock.now()) }
        if due.isEmpty { return .after(interval) }
        let outcomes = await withTaskGroup(of: Result<Bool, ServerError>.self) { tasks in
            for job in due {
                tasks.addTask {
                    do throws(ServerError) { return .success(try await serve(job.id)) } catch { return .failure(error) }
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        var isBusy = false
        for outcome in outcomes where try outcome.get() { isBusy = true }
        // What others have taken in the meantime, or may not be taken yet, is looked at again later.
        return isBusy ? .atOnce : .after(interval)
    }

    /// The jobs to begin with: those whose servers were given up, then those that nobody had yet.
    private func dueJobs(at now: Timestamp) async throws(StoreError) -> [Job] {
        let form = RunnerForms.due
        let seen = try await store.look(form.asked(.of(kind.name.text), .of(kind.name.text)))
        let found = seen[form.looks.running] + seen[form.looks.waiting]
        return Array(found.lazy.filter { $0.dueAt <= now }.prefix(kind.rules.concurrency))
    }

    /// Takes a job and does a piece of it; answers whether it could be taken.
    private func serve(_ id: String) async throws(ServerError) -> Bool {
        guard case .taken(let job) = try await take(id) else { return false }
        do throws(ServerError) {
            try await finish(await work(on: job), of: job)
        } catch {
            // What cannot be saved is a failure of the job's; a store that cannot be reached is none.
            guard !error.isTransient else { throw error }
            try await finish(.ending(.failed(error.description), of: job), of: job)
        }
        return true
    }

    /// Does a piece; one that fails has work to save as well.
    private func work(on job: Job) async -> JobWork<Payload> {
        guard let payload = kind.name.read(job.payload) else {
            return .ending(.failed("its payload cannot be read", forGood: true), of: job)
        }
        do throws(ServerError) {
            return try await kind.run(payload, job, clock.now())
        } catch {
            return .ending(.failed(error.description), of: job)
        }
    }

    private func take(_ id: String) async throws(ServerError) -> Job.Taking {
        let (now, form, rules) = (clock.now(), RunnerForms.taking, kind.rules)
        let looks = form.looks
        let change = Change(form.asked(.of(id), .of(kind.name.text), lists: [[.of(kind.name.text)]])) { seen in
            guard let job = seen[looks.job] else { return Saving(Job.Taking.left) }
            let taking = job.taking(at: now, by: rules, running: seen[looks.running])
            switch taking {
            case .left: return Saving(taking)
            case .taken(let after), .failed(let after): return Saving(taking, job.saves(after, at: now))
            }
        }
        return try await asking { () async throws(StoreError) in try await store.perform(change) }
    }

    private func finish(_ work: JobWork<Payload>, of taken: Job) async throws(ServerError) {
        let (now, draw, kind) = (clock.now(), draw(), kind)
        let change = Change(work.asked) { seen -> Saving<Bool> in
            guard let job = seen[work.job], job.isHeld(by: taken) else { return Saving(false) }
            let (ending, saves) = work.decide(seen)
            let after = job.ended(ending, at: now, by: kind.rules, draw: draw, write: kind.name.write)
            return Saving(true, saves + job.saves(after, at: now))
        }
        let isSaved = try await asking { () async throws(StoreError) in try await store.perform(change) }
        if !isSaved {
            log.write(LogLine(.warning, "job_overtaken", [("job", .text(taken.id)), ("kind", .text(taken.kind))]))
        }
    }
}

private enum RunnerForms {
    /// Jobs of a kind that may be due.
    static let due = LoadForm { ask in
        (
            running: ask.rows(Job.ofKind, upTo: 64, .request, .constant(Job.State.running)),
            waiting: ask.rows(Job.ofKind, upTo: 64, .request, .constant(Job.State.waiting))
        )
    }

    /// A job, and how many of its kind are under way.
    static let taking = LoadForm { ask in
        ask.hold(Job.turn)
        return (
            job: ask.row(Job.table.key),
            running: ask.count(Job.ofKind, upTo: 65, .request, .constant(Job.State.running))
        )
    }
}
