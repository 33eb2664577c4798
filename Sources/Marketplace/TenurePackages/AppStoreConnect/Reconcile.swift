import TenureCore
import TenureFormats
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Checks App Store Connect once a day for new versions of a marketplace's packages.
///
/// Notifications stop while an agreement has lapsed, so missing notifications don't prove that there is nothing new.
/// Each run of the job checks one package. The job never takes a package down.
struct Reconcile: Sendable {
    let context: ImportContext

    /// The progress of a daily round over the packages.
    ///
    /// `after` is the last package that was checked; `nil` at the start.
    struct Round: Sendable, Hashable {
        var after: String?
    }

    static let day: Int64 = 86_400

    /// The reconciliation job of a tenant; each tenant has one such job.
    static func job(of tenant: TenantID, at now: Timestamp) -> Job {
        Job(id: "job_reconcile_\(tenant)", kind: JobName.reconcile.text, tenant: tenant, dueAt: now, payload: "{}")
    }

    var kind: Job.Kind<Round> {
        Job.Kind(.reconcile, rules: Job.Rules(concurrency: 1)) { [self] round, job, now in
            guard let tenant = job.tenant, let appStore = try await context.appStore(of: tenant) else {
                return .ending(.done, of: job)
            }
            let imports = try await all(of: tenant)
            let marketplace = try await context.catalog.refreshIfChanged().catalog.tenants[tenant]?.marketplace
            let packageIDs = marketplace?.apps.values.flatMap { $0.versions.values.compactMap { $0.package?.id } } ?? []
            let packages = Set(packageIDs + imports.compactMap(\.package)).sorted()
            guard let package = packages.first(where: { $0 > round.after ?? "" }) else {
                let next = now.adding(seconds: Self.day + .random(in: 0...3_600))
                return .ending(.again(at: next, Round()), of: job)
            }
            let versions: [AppStoreConnect.Resource]
            do throws(ConnectTrouble) {
                versions = try await appStore.versions(of: package)
            } catch {
                context.log.write(
                    LogLine(
                        .warning, "package_not_reconciled",
                        [("tenant", .text(tenant.text)), ("package", .text(package)), ("cause", .text(error.cause))]))
                let isOver = error.kind == .waiting || error.kind == .cancelled
                let next = isOver ? now.adding(seconds: max(error.seconds, 60)) : now
                return .ending(.again(at: next, isOver ? round : Round(after: package)), of: job)
            }
            let newest = versions.filter { $0.state != "REPLACED" }.max { $0.version < $1.version }
            let isKnown = imports.contains { $0.id == newest?.id || $0.source == newest?.id }
            guard let newest, !isKnown, AssetID(newest.id) != nil else {
                return .ending(.again(at: now, Round(after: package)), of: job)
            }
            return announce(newest.id, package, of: tenant, job, at: now)
        }
    }

    private func announce(
        _ id: String, _ package: String, of tenant: TenantID, _ job: Job, at now: Timestamp
    ) -> Job.Work<Round> {
        var random = SystemRandomNumberGenerator()
        let next = Job.ID.random(using: &random)
        let announced = PackageImport.announced(id, package: package, item: nil, of: tenant, job: next, at: now)
        let work = JobName.packageImport.job(ImportWork(id: id), id: next, of: tenant, at: now)
        let ending = Job.Ending.again(at: now, Round(after: package))
        return Self.plan.work(on: job, .init(tenant: tenant, id: id)) { results, query in
            (ending, results[query] == nil ? [.insert(announced), .insert(work)] : [])
        }
    }

    private func all(of tenant: TenantID) async throws(ServerError) -> [PackageImport] {
        try await context.store.list(Listing(PackageImport.ofTenant, [.of(tenant)], limit: 10_000))
    }

    private static let plan = Job.WorkPlan(for: ImportRef.self) { query in
        query.row(PackageImport.table.key) { [.of($0.tenant), .of($0.id)] }
    }
}

extension JobName where Payload == Reconcile.Round {
    /// The job that finds versions without a notification.
    static let reconcile = JobName("packages.reconcile") { round, body in
        body.member("after", round.after)
    } read: { body in
        Reconcile.Round(after: body.string("after").value)
    }
}
