import TenureCore
import TenureLicensing
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit

/// Sample apps, grants and licenses for pages, as of `now`.
enum SampleApps {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let tenant = TenantID("acme")!
    static let account = AccountRef(tenant: tenant, account: AccountID("ada")!)
    static let item = AppleItemID(number: 6_483_539_426)!
    static let version = AppleVersionID(number: 863_214_182)!
    static let asset = AssetID("b1a5e6a0-variant")!

    static func app(
        name: String? = "Camping", shareURL: String? = "https://market.example/camping", withdrawn: Bool = false,
        rules: AppLicense.Rules = AppLicense.Rules(deviceLimit: 2)
    ) -> MarketplaceApp {
        MarketplaceApp(
            item: item, bundleID: "com.example.camping", name: name, shareURL: shareURL, isDelisted: withdrawn,
            rules: rules,
            versions: [
                version: AppVersion(
                    id: version, shortVersion: "1.4.2", bundleVersion: "142", keyedAssets: [asset])
            ])
    }

    static func marketplace(_ app: MarketplaceApp = app(), name: String = "Megabyte Mart") -> Marketplace {
        Marketplace(
            name: name, domain: "market.example", appleItemID: AppleItemID(number: 6_497_405_838), access: .token,
            supportEmail: "help@market.example", apps: [item: app])
    }

    static func grant(until end: Timestamp? = nil, endedAt: Timestamp? = nil) -> AppGrant {
        AppGrant(
            account: account, item: item, term: Term(start: now.adding(days: -100), end: end)!,
            grantedAt: now.adding(days: -100), endedAt: endedAt)
    }

    static func device(_ number: UInt8) -> Digest { Digest((0..<32).map { $0 &* 7 &+ number &* 41 })! }

    /// Returns a license that was issued over 40 days ago and renewed once, and that ends `days` days from now.
    static func license(
        _ number: Int64 = 1, endsIn days: Int? = 20, state: License.State = .active, stopped: Int? = nil,
        failed: Int? = nil
    ) -> AppLicense {
        AppLicense(
            id: LicenseID(number: number)!, tenant: tenant, asset: AssetRef(item: item, version: version, asset: asset),
            account: account.account, device: device(UInt8(number)), request: 7,
            issuedAt: now.adding(days: -40 - Int(number)),
            term: Term(start: now.adding(days: -10), end: days.map { now.adding(days: $0) })
                ?? .perpetual(from: now.adding(days: -10)),
            termRequest: 8, recordedState: state, stoppedAt: stopped.map { now.adding(days: $0) },
            failedAt: failed.map { now.adding(days: $0) })
    }

    static func explained(
        _ license: AppLicense, of app: MarketplaceApp? = app(), grant: AppGrant? = grant(), others: Int = 0,
        hasKey: Bool = true
    ) -> ExplainedApp.License {
        let right = AppGrant.Right(grant: grant, active: Set((0..<others).map { device(UInt8(100 + $0)) }))
        return ExplainedApp.License(
            license: license,
            explanation: license.explain(of: app, right: right, access: .token, hasKey: hasKey, at: now))
    }

    /// A license for each status that pages distinguish.
    static let standings: [(LicenseStanding, ExplainedApp.License)] = [
        (.fine, explained(license())),
        (.expired, explained(license(endsIn: -3))),
        (.renewalFailed, explained(license(endsIn: 1, failed: -1))),
        (.subscriptionEnded, explained(license(endsIn: 4), grant: grant(until: now.adding(days: -2)))),
        (.accessEnded, explained(license(endsIn: -1), grant: grant(endedAt: now.adding(days: -2)))),
        (.notGranted, explained(license(endsIn: -1), grant: nil)),
        (.deviceLimit, explained(license(endsIn: -1), others: 2)),
        (
            .withdrawn,
            explained(
                license(endsIn: 5), of: app(withdrawn: true, rules: AppLicense.Rules(revokeOnTakedown: true)))
        ),
        (.tooLate, explained(license(endsIn: -9), of: app(rules: AppLicense.Rules(renewAfterExpiryDays: 5)))),
        (.suspended, explained(license(endsIn: 5, state: .suspended, stopped: -1))),
        (.revoked, explained(license(endsIn: 5, state: .revoked, stopped: -1))),
        (.released, explained(license(endsIn: 5, state: .returned, stopped: -1))),
        (.vendorSide, explained(license(endsIn: 2), hasKey: false)),
    ]
}
