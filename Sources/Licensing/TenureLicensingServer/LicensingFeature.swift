import TenureCommandLine
import TenureCore
import TenureLicensing
package import TenureServerKit
import TenureStore

extension Feature {
    /// Software licensing.
    ///
    /// It contains keys, activations, leases and trials in Keylight's dialect and Tenure's, the license holder's page
    /// and the operator's endpoints.
    package static let licensing: Feature = {
        var feature = Feature("licensing")
        feature.tables = [
            Product.kept(by: Product.ofTenant), PolicyRow.kept(by: PolicyRow.ofTenant, PolicyRow.ofProduct),
            SigningKeyRecord.kept(by: SigningKeyRecord.byAge, SigningKeyRecord.ofTenant),
            KeyRoot.kept(by: KeyRoot.ofTenant),
            License.kept(
                by: License.byKey, License.ofKey, License.ofKeyAtTenant, License.ofTenant, License.ofProduct,
                License.ofPolicy, License.ofHolder,
                License.byHolder, License.ofHolderEmail, License.byHolderEmail, License.ofKeyEnding, License.ofOrder,
                License.toExpire),
            FormerKey.kept(by: FormerKey.ofHash, FormerKey.ofLicense, FormerKey.inUse, FormerKey.ofKeyEnding),
            SigningKeyRecord.Prepared.kept(),
            Activation.kept(
                by: Activation.ofLicense, Activation.live, Activation.newestLive, Activation.latestReleased,
                Activation.liveOfDevice, Activation.releasedByHolder, Activation.counted, Activation.byRelease,
                Activation.byCountEnd),
            LastSeen.kept(),
            LicenseCredential.kept(
                by: LicenseCredential.ofLicense, LicenseCredential.byExpiry, LicenseCredential.byEnd),
            Trial.kept(by: Trial.ofProduct, Trial.byStart),
            Trial.Device.kept(by: Trial.Device.byRemoval),
        ]
        feature.catalog = CatalogMember { query, tenants in
            let products = query.each(
                Product.ofTenant, upTo: .everything, .column("tenant", of: tenants))
            let policies = query.each(
                PolicyRow.ofTenant, upTo: .everything, .column("tenant", of: tenants))
            return { results, catalog in
                for product in results[products] {
                    catalog.tenants[product.ref.tenant]?.products[product.ref.product] = product
                }
                for row in results[policies] {
                    catalog.tenants[row.product.tenant]?.products[row.product.product]?.policies[row.policy.id] =
                        row.policy
                }
            }
        }
        feature.section = .licensing
        feature.prepare = { installation, _ in
            try await installation.licensing().makeKeyRoots()
        }
        feature.reasons = [
            Feature.Family("Licenses", Reason.Kind.licensing), Feature.Family("Trials", Reason.Kind.trials),
        ]
        feature.requests = [Feature.Family("Requests about licenses", Reason.Kind.licensingRequests)]
        feature.events = [Feature.Family("Licenses", EventKind.licensing), Feature.Family("Trials", EventKind.trials)]
        feature.restoreExclusions = { RestoreExclusion.licensing }
        feature.restoredAsCopied = .licensing
        feature.restoreAdditions = { RestoreAddition.licensing }
        feature.records = [.licenses]
        feature.invariants = { inspection in RowInvariant.licensing(inspection) }
        feature.retention = RetentionRule.credentials(LicenseCredential.self) + RetentionRule.releasedActivations
        feature.retention.append(.trialDevices)
        feature.concerns = [.devices, .entitlements, .keyRoots]
        feature.status = .licensing
        feature.counts = { store async throws(StoreError) in
            let census = try await store.census()
            let tests = census.testLicenses
            return [census.licenses.values.reduce(0, +).of("license")]
                + (tests > 0 ? [tests.of("test license")] : []) + [census.liveActivations.of("active device")]
        }
        feature.commands = { installations in
            [
                FeatureCommand(CatalogCommands.group(installations), in: .start),
                FeatureCommand(LicenseCommands.group(installations), in: .licenses),
                FeatureCommand(ActivationCommands.group(installations), in: .licenses),
                FeatureCommand(TrialCommands.group(installations), in: .licenses),
                FeatureCommand(KeyCommands.group(installations), in: .licenses),
            ]
        }
        feature.tags = [
            ("licenses", "Licenses of products."), ("activations", "The devices of licenses."),
            ("trials", "The trials of devices."),
        ]
        feature.scopes = [
            TokenScope("licenses:read", order: 10), TokenScope("licenses:write", order: 11),
            TokenScope("activations:write", order: 12), TokenScope("keys:read", order: 13),
        ]
        let keylight: Set = ["activate", "validate", "deactivate", "keyless", "config"]
        feature.reservesPath = { path in path[0] == "portal" || path.count == 3 && keylight.contains(path[2]) }
        feature.tenantPaths = ["licenses", "activations", "trials"]
        feature.open = { context in RunningFeature(licensing: context) }
        return feature
    }()
}

extension RunningFeature {
    fileprivate init(licensing context: ServerContext) {
        self.init()
        let licensing = LicensingContext(
            catalog: context.catalog, clock: context.clock, randomness: context.randomness)
        let sightings = LastSeenWriter(store: context.store.inner, interval: context.intervals.sightings)
        let acts = LicensingActs(
            context: licensing, sightings: sightings, wrongKeys: WrongKeys(behind: context.proxies))
        endpoints =
            KeylightDialect(licensing: acts, metrics: context.metrics).endpoints
            + TenureDialect(licensing: acts).endpoints
            + HolderPages(licensing: licensing, notices: PageFrame.Notice.persistent(context.facts)).endpoints
            + LicenseEndpoints(licensing: licensing, baseURL: context.baseURL).endpoints
            + TrialEndpoints(licensing: licensing).endpoints
        mails = KeyLetter(licensing: licensing).kinds
        services = [
            sightings,
            ExpirySweep(licensing: licensing, interval: context.intervals.sweep),
        ]
    }
}

extension HelpSection {
    /// The commands about licenses, their devices and the keys that sign leases.
    static let licenses = HelpSection("Licenses", position: 10)
}
