import TenureCore

/// Counts each tenant's running jobs of one kind and decides which job starts next.
///
/// A tenant's share is half of the kind's slots. A tenant may exceed its share only while no other tenant waits. Jobs
/// beyond the share don't use up slots of other tenants. So until such jobs end, up to 1.5 times as many jobs as slots
/// may run.
struct JobsUnderWay: Sendable, Hashable {
    private var ofTenants: [TenantID?: Int] = [:]

    /// Counts the running jobs by tenant.
    init(_ running: some Sequence<Job>) {
        for job in running { add(job) }
    }

    mutating func add(_ job: Job) { ofTenants[job.tenant, default: 0] += 1 }

    /// Whether another job of a tenant may start. The tenant is `nil` for jobs of the server itself.
    ///
    /// - Parameter othersWait: Whether another tenant has a due job of the kind.
    func hasSlot(for tenant: TenantID?, by rules: Job.Rules, othersWait: Bool) -> Bool {
        guard ofTenants[tenant, default: 0] >= rules.share else {
            return ofTenants.values.reduce(0) { $0 + min($1, rules.share) } < rules.concurrency
        }
        return !othersWait && ofTenants.values.reduce(0, +) < rules.concurrency
    }

    /// Returns the index of the job to start next: the first one of the tenant with the fewest running jobs.
    ///
    /// Returns `nil` if no job may start.
    ///
    /// - Parameter due: The due jobs in starting order. They don't count as running.
    func next(of due: [Job], by rules: Job.Rules) -> (index: Int, othersWait: Bool)? {
        var best: (index: Int, othersWait: Bool, running: Int)?
        let tenants = Set(due.map(\.tenant))
        for (index, job) in due.enumerated() {
            let running = ofTenants[job.tenant, default: 0]
            let othersWait = tenants.count > 1
            if let best, best.running <= running { continue }
            guard hasSlot(for: job.tenant, by: rules, othersWait: othersWait) else { continue }
            best = (index, othersWait, running)
        }
        return best.map { ($0.index, $0.othersWait) }
    }
}

extension Job.Rules {
    /// The number of slots that one tenant may use while other tenants wait.
    var share: Int { max(concurrency / 2, 1) }

    /// The maximum number of running jobs of one kind, which limits the queries that read them.
    static let most = 64 + 32 + 1
}
