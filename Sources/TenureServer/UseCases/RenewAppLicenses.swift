import TenureCore
import TenureCrypto
import TenureStore

/// Renews a device's app licenses, one answer for each: a bad one never fails its neighbours (seed 001).
struct RenewAppLicenses: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// The answer about one license.
    enum Outcome: Sendable {
        case renewed(AppLicense)
        case ineligible(Refusal)
    }

    /// What was decided, in the order of the request, under one version of the catalog.
    struct Answer: Sendable {
        let outcomes: [(id: UInt64, outcome: Outcome)]
        let snapshot: CatalogSnapshot
    }

    /// Decides on all licenses in one transaction, durable before this returns.
    ///
    /// The same request sent again gets the same terms and changes nothing. Answers nil when the tenant has no
    /// marketplace. Throws ``ServerError``.
    /// - Parameter ids: What the device calls its licenses, each once; a number that no license can have is ineligible.
    func callAsFunction(_ ids: [UInt64], for requester: AppRequester) async throws(ServerError) -> Answer? {
        let now = clock.now()
        var random = SecureRandom()
        let wishes = ids.map { number in
            (
                number, Int64(exactly: number).flatMap(LicenseID.init(number:)),
                Int.random(in: -1000...1000, using: &random)
            )
        }
        let keys = LoadKeys(
            apps: AppKeys(tenant: requester.tenant, licenses: wishes.compactMap { $0.1 }, now: now))
        return try await catalog.perform(loading: keys) { loaded, snapshot in
            guard let marketplace = snapshot.catalog.tenants[requester.tenant]?.marketplace, let apps = loaded.apps
            else { return Saving(nil) }
            var outcomes: [(UInt64, Outcome)] = []
            var writes: [Write] = []
            for (number, id, draw) in wishes {
                guard let license = id.flatMap({ apps.licenses[$0] }) else {
                    outcomes.append((number, .ineligible(Refusal(.appLicenseForeign))))
                    continue
                }
                let right = license.account.flatMap { apps.rights[AppRightRef(account: $0, item: license.item)] }
                let renewal = license.renew(
                    for: requester, of: marketplace.apps[license.item], right: right, access: marketplace.access,
                    hasKey: marketplace.hasKey(of: license.asset), draw: draw, at: now)
                switch renewal {
                case .renewed(let license, let consequences):
                    outcomes.append((number, .renewed(license)))
                    writes += [Write](consequences)
                case .ineligible(let refusal, let consequences):
                    outcomes.append((number, .ineligible(refusal)))
                    writes += [Write](consequences)
                }
            }
            return Saving(Answer(outcomes: outcomes, snapshot: snapshot), writes)
        }
    }
}
