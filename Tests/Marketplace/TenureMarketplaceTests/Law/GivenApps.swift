import TenureCore
import TenureMarketplace

/// Values that app license tests share: an app with version 7 and variant `v`, and the account `ada` with a grant for
/// the app.
enum GivenApps {
    static let operatorAda = Actor.operator("ada")
    static let now = Timestamp(seconds: 1_800_000_000)
    static let tenant = TenantID("acme")!
    static let item = AppleItemID(number: 100)!
    static let version = AppleVersionID(number: 7)!
    static let asset = AssetRef(item: item, version: version, asset: AssetID("v")!)
    static let ada = AccountID("ada")!
    static let id = LicenseID(number: 42)!
    static let newID = LicenseID(number: 43)!
    static let phone = device(1)

    static func device(_ number: UInt8) -> Digest { Digest([UInt8](repeating: number, count: 32))! }

    static func app(
        withdrawn: Bool = false, rules: AppLicense.Rules = AppLicense.Rules(deviceLimit: 2),
        versions: [AppleVersionID] = [version]
    ) -> MarketplaceApp {
        MarketplaceApp(
            item: item, isDelisted: withdrawn, rules: rules,
            versions: Dictionary(
                uniqueKeysWithValues: versions.map {
                    ($0, AppVersion(id: $0, shortVersion: "1.0", bundleVersion: "1"))
                }))
    }

    static func marketplace(_ app: MarketplaceApp?, access: Marketplace.Access = .token) -> Marketplace {
        Marketplace(
            name: "Mart", domain: "mart.example", access: access, apps: app.map { [item: $0] } ?? [:])
    }

    static func requester(_ request: UInt64 = 2, device: Digest = phone, account: AccountID? = ada)
        -> AppLicense.Requester
    {
        AppLicense.Requester(tenant: tenant, account: account, device: device, request: request)
    }

    static func grant(until end: Timestamp? = nil, at time: Timestamp = now.adding(days: -40), ended: Bool = false)
        -> AppGrant
    {
        AppGrant(
            account: AccountRef(tenant: tenant, account: ada), item: item, term: Term(start: time, end: end)!,
            grantedAt: time, endedAt: ended ? now.adding(days: -1) : nil)
    }

    static func license(
        _ state: LifecycleState = .active, endsIn seconds: Int64? = 20 * 86_400, request: UInt64 = 1,
        id: LicenseID = id
    ) -> AppLicense {
        AppLicense(
            id: id, tenant: tenant, asset: asset, account: ada, device: phone, request: request,
            issuedAt: now.adding(days: -10),
            term: Term(start: now.adding(days: -200), end: seconds.map { now.adding(seconds: $0) })!,
            termRequest: request, recordedState: state, stoppedAt: state == .active ? nil : now.adding(days: -5))
    }

    static func wish(hasKey: Bool = true, draw: Int = 0, asset: AssetRef = asset) -> AppLicense.Request {
        AppLicense.Request(asset: asset, hasKey: hasKey, newID: newID, draw: draw)
    }
}
