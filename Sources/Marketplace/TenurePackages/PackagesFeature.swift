import TenureCommandLine
import TenureCore
import TenureMarketplaceServer
package import TenureServerKit
import TenureStore
import TenureThreads

extension Feature {
    /// The feature for app packages: it serves their files to devices and fetches them from App Store Connect.
    package static let packages: Feature = {
        var feature = Feature("packages")
        feature.invariants = { inspection in RowInvariant.packages(inspection) }
        feature.tables = [
            Notice.kept(by: Notice.ofTenant, Notice.ofApp, Notice.byAge, Notice.ofOutcome),
            PackageImport.kept(by: PackageImport.ofTenant, PackageImport.ofApp, PackageImport.inState),
            ImportAsset.kept(by: ImportAsset.ofTenant, ImportAsset.ofImport),
        ]
        feature.restoredAsCopied = .packages
        feature.catalog = .notificationSecrets
        feature.retention = [
            RetentionRule(
                RetentionSweep(Notice.byAge), by: "received_at", after: Notice.lifetime,
                where: [Comparison("outcome", .isOneOf(Notice.Outcome.swept.map(\.storedValue)))]
            ) { $0.receivedAt < $1 && $0.outcome != .forgotten }
        ]
        feature.concerns = [.packages]
        feature.status = .packages
        feature.applying = .packages
        feature.options = [PackageOptions.packages, PackageOptions.accel]
        feature.commands = { installations in
            [
                FeatureCommand(
                    MarketplaceConnectCommand.connect(installations), of: "marketplace", after: "rotate"),
                FeatureCommand(
                    MarketplaceConnectCommand.disconnect(installations), of: "marketplace", after: "connect"),
                FeatureCommand(
                    MarketplaceIngestCommand.command(installations), of: "marketplace", after: "disconnect"),
                FeatureCommand(
                    MarketplacePackagesCommand.list(installations), of: "marketplace", after: "ingest"),
                FeatureCommand(
                    MarketplacePackagesCommand.remove(installations), of: "marketplace", after: "packages"),
                FeatureCommand(
                    MarketplaceNotificationCommands.group(installations), of: "marketplace", after: "release"),
            ]
        }
        feature.open = { context throws(ServerError) in try RunningFeature(packages: context) }
        return feature
    }()
}

extension RunningFeature {
    fileprivate init(packages context: ServerContext) throws(ServerError) {
        self.init()
        endpoints = [ReceiveNotice(store: context.store, clock: context.clock).endpoint]
        jobs = [ActOnNotice(store: context.store, clock: context.clock, log: context.log).kind]
        guard let arguments = context.arguments else { return }
        let packageStore = PackageStore(arguments.packagesPath)
        let (pool, hashing): (WorkerPool<Void>, WorkerPool<Void>)
        do throws(ThreadError) {
            pool = try WorkerPool(threads: 2, limit: 1024) {}
            hashing = try WorkerPool(threads: 1, limit: 256) {}
        } catch {
            throw ServerError(.init("no_threads"), error.description, cause: error.cause)
        }
        let dialect = PackageDialect(
            context: context.marketplace(), packageStore: packageStore, accel: arguments[PackageOptions.accel],
            pool: pool,
            hashing: hashing)
        endpoints += dialect.endpoints
        let importContext = ImportContext(
            store: context.store, catalog: context.catalog, clock: context.clock,
            fetchFolder: FetchFolder(packageStore: packageStore), pool: pool, outbound: context.outbound,
            log: context.log)
        jobs += [
            FetchPackage(context: importContext).kind, FetchAsset(context: importContext).kind,
            Reconcile(context: importContext).kind,
        ]
        gauges = { await ImportGauges(store: context.store).exposition() }
        services = [
            TidyPackages(
                store: context.store, packageStore: packageStore, pool: pool, clock: context.clock)
        ]
    }
}

extension [RestoredAsCopied] {
    /// The tables of app packages, all of which are restored as they are in the backup.
    static let packages: [RestoredAsCopied] = [
        RestoredAsCopied(
            Notice.self, because: "It permits nothing: an app's availability, which it changes, has an exclusion."),
        RestoredAsCopied(PackageImport.self, because: "A package that was fetched since is fetched again."),
        RestoredAsCopied(ImportAsset.self, because: "It belongs to an import, which is fetched again."),
    ]
}

extension RowInvariant {
    /// The invariants of notifications and imports.
    static func packages(_ inspection: Inspection) -> [RowInvariant] {
        [
            RowInvariant(
                Notice.self, in: inspection, named: { "\($0.id) of \($0.tenant)" },
                [.notFuture("received_at") { $0.receivedAt }]),
            RowInvariant(
                PackageImport.self, in: inspection, named: { "\($0.id) of \($0.tenant)" },
                [
                    .notFuture("changed_at") { $0.changedAt },
                    .not("failures", "is negative", ["failures": -1]) { $0.failures < 0 },
                ]),
            RowInvariant(
                ImportAsset.self, in: inspection, named: { "\($0.asset) of \($0.importID) of \($0.tenant)" },
                [.not("failures", "is negative", ["failures": -1]) { $0.failures < 0 }]),
        ]
    }
}
