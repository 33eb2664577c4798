import TenureCore

/// How many jobs of one kind each tenant has under way, and who may start the next one.
///
/// A tenant's share is half of the kind's slots. It gets more only while no other tenant waits, and what it has beyond
/// its share keeps no other tenant from theirs: such a job may run on for minutes after the others came. So at most half
/// as many again as the kind has slots are under way, for as long as that takes.
struct JobsUnderWay: Sendable, Hashable {
    private var ofTenants: [TenantID?: Int] = [:]

    /// Counts running jobs.
    init(_ running: some Sequence<Job>) {
        for job in running { add(job) }
    }

    mutating func add(_ job: Job) { ofTenants[job.tenant, default: 0] += 1 }

    /// Whether one more job of a tenant may start; `nil` is the server itself.
    /// - Parameter othersWait: Whether another tenant has a job of the kind that is due.
    func hasSlot(for tenant: TenantID?, by rules: JobRules, othersWait: Bool) -> Bool {
        guard ofTenants[tenant, default: 0] >= rules.share else {
            return ofTenants.values.reduce(0) { $0 + min($1, rules.share) } < rules.concurrency
        }
        return !othersWait && ofTenants.values.reduce(0, +) < rules.concurrency
    }

    /// The place of the job to start next: the first one of the tenant that has the fewest under way. `nil` while none of
    /// them may start.
    /// - Parameter due: Jobs that are due, in the order in which they are to start. None of them is counted as running.
    func next(of due: [Job], by rules: JobRules) -> (place: Int, othersWait: Bool)? {
        var best: (place: Int, othersWait: Bool, running: Int)?
        let tenants = Set(due.map(\.tenant))
        for (place, job) in due.enumerated() {
            let running = ofTenants[job.tenant, default: 0]
            let othersWait = tenants.count > 1
            if let best, best.running <= running { continue }
            guard hasSlot(for: job.tenant, by: rules, othersWait: othersWait) else { continue }
            best = (place, othersWait, running)
        }
        return best.map { ($0.place, $0.othersWait) }
    }
}

extension JobRules {
    /// How many slots one tenant has while others wait.
    var share: Int { max(concurrency / 2, 1) }

    /// The most jobs that are ever under way.
    static let most = 64 + 32 + 1
}
