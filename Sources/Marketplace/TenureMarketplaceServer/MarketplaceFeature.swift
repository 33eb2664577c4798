import TenureCommandLine
import TenureCore
import TenureMarketplace
package import TenureServerKit
import TenureStore

extension Feature {
    /// The marketplace feature: app licenses, accounts with grants, the marketplace's keys, and the resolution and
    /// product pages.
    package static let marketplace: Feature = {
        var feature = Feature("marketplace")
        feature.tables = [
            MarketplaceRow.kept(by: MarketplaceRow.byDomain), AppRow.kept(by: AppRow.ofTenant),
            VersionRow.kept(by: VersionRow.ofTenant, VersionRow.ofApp),
            MarketplaceKeyRecord.kept(by: MarketplaceKeyRecord.byAge, MarketplaceKeyRecord.ofTenant),
            AvailabilityRow.kept(by: AvailabilityRow.ofTenant, AvailabilityRow.ofApp),
            MarketplaceSecretRow.kept(by: MarketplaceSecretRow.ofTenant),
            AppAsset.kept(by: AppAsset.ofTenant, AppAsset.ofApp, AppAsset.ofVersion),
            Account.kept(by: Account.ofTenant, Account.byEmail, Account.byName),
            AccountCredential.kept(
                by: AccountCredential.ofAccount, AccountCredential.byExpiry, AccountCredential.byEnd),
            SignIn.kept(by: SignIn.ofAccount, SignIn.byExpiry, SignIn.byEnd),
            AppGrant.kept(by: AppGrant.ofAccount),
            AppLicense.kept(
                by: AppLicense.earlierOfAccount, AppLicense.earlierOfDevice, AppLicense.ofApp, AppLicense.ofAccount,
                AppLicense.ofDevice),
        ]
        feature.catalog = CatalogMember(open: MarketplaceKeySets.open) { query, tenants in
            let (all, ofTenant) = (Int.everything, QuerySource<Void>.column("tenant", of: tenants))
            let marketplaces = query.each(MarketplaceRow.table.key, ofTenant)
            let apps = query.each(AppRow.ofTenant, upTo: all, ofTenant)
            let versions = query.each(VersionRow.ofTenant, upTo: all, ofTenant)
            let availability = query.each(AvailabilityRow.ofTenant, upTo: all, ofTenant)
            let keyedAssets = query.view(KeyedAsset.all)
            return { results, catalog in
                for row in results[marketplaces] { catalog.tenants[row.tenant]?.marketplace = row.marketplace }
                for row in results[apps] { catalog.tenants[row.tenant]?.marketplace?.apps[row.app.item] = row.app }
                for row in results[versions] {
                    catalog.tenants[row.tenant]?.marketplace?.apps[row.item]?.versions[row.version.id] = row.version
                }
                for row in results[availability] {
                    catalog.tenants[row.tenant]?.marketplace?.apps[row.item]?.hear(row)
                }
                for asset in results[keyedAssets] {
                    catalog.tenants[asset.tenant]?.marketplace?.apps[asset.ref.item]?.versions[asset.ref.version]?
                        .keyedAssets.insert(asset.ref.asset)
                }
            }
        }
        feature.section = .marketplace
        feature.reasons = [Feature.Family("Apps", Reason.Kind.appLicensing + Reason.Kind.offers)]
        feature.requests = [Feature.Family("Requests about apps", Reason.Kind.appRequests)]
        feature.events = [
            Feature.Family("Apps", EventKind.appLicensing), Feature.Family("Accounts", EventKind.accounts),
        ]
        feature.restoreExclusions = { RestoreExclusion.marketplace }
        feature.restoredAsCopied = .marketplace
        feature.restoreAdditions = { RestoreAddition.marketplace }
        feature.records = [.accounts, .appLicenses]
        feature.invariants = { inspection in RowInvariant.marketplace(inspection) }
        feature.retention =
            RetentionRule.credentials(AccountCredential.self) + RetentionRule.credentials(SignIn.self)
        feature.concerns = [.accounts]
        feature.status = .marketplace
        feature.prepare = { installation, console in
            for tenant in try await installation.marketplace().makeMarketplaceKeys(by: .commandLine) {
                console.warn(SimulatedKeysNotice.created(for: tenant))
            }
        }
        feature.licenses = AppLicenseListing.provider
        feature.commands = { installations in
            [FeatureCommand(MarketplaceCommands.group(installations), in: .marketplace)]
        }
        let roots: Set = ["adp", "apps", "resolve"]
        // A marketplace's own endpoints, after `/marketplace/{tenant}`.
        let endpoints: Set = ["licenses", "restore", "updates", "certificates", "notifications", "install-token"]
        feature.reservesPath = { path in
            roots.contains(path[0])
                || path[0] == "marketplace" && (path.count == 1 || path.count > 2 && endpoints.contains(path[2]))
        }
        feature.tenantPaths = ["app-licenses"]
        feature.open = { context throws(ServerError) in try RunningFeature(marketplace: context) }
        return feature
    }()
}

extension RunningFeature {
    fileprivate init(marketplace context: ServerContext) throws(ServerError) {
        self.init()
        let market = context.marketplace()
        let refused = RefusedApps(store: context.store, clock: context.clock)
        let limits = AppIssuanceLimits(
            refused: refused, newDevices: .init(perMinute: 600, waiting: context.waiting))
        let dialect = MarketplaceDialect(context, market, limits: limits)
        let pages = ResolutionPages(
            market, notices: PageFrame.Notice.persistent(context.facts), behind: context.proxies,
            passwords: context.passwords)
        let products = ProductPages(
            context: market, notices: PageFrame.Notice.persistent(context.facts),
            baseURL: context.baseURL)
        let risk = RenewalRiskGauges(store: context.store, clock: context.clock)
        endpoints =
            dialect.endpoints + pages.endpoints + products.endpoints
            + AppLicenseEndpoints(context: market).endpoints
        services = [
            refused,
            KeepMarketplaceKeys(context: market, log: context.log),
        ]
        let start = pages.endpoints.first { $0.method == "GET" && $0.path == "/resolve/{tenant}" }
        fallbackRoute = { await dialect.endpoint(overriding: $0, page: start) }
        gauges = { await risk.exposition() }
    }
}

extension HelpSection {
    /// The commands about a marketplace and its accounts.
    static let marketplace = HelpSection("Marketplace", position: 30)
}
