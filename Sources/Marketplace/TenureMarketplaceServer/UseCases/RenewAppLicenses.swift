import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The results of a renewal in the order of the request, with the catalog version that they are based on.
struct AppRenewals: Sendable {
    let outcomes: [(id: UInt64, outcome: Outcome)]
    let snapshot: CatalogSnapshot

    /// The result for one license.
    enum Outcome: Sendable {
        /// The renewed license, and its state before the renewal; `nil` if the request was repeated.
        case renewed(AppLicense, before: AppLicense?)
        case ineligible(Refusal)
        /// The store lacks the license, but has lost records. The device keeps the license and tries again.
        case missing

        fileprivate var isMissing: Bool { if case .missing = self { true } else { false } }
    }
}

extension MarketplaceContext {
    /// Renews a device's app licenses, with a separate result for each, in one durable transaction.
    ///
    /// Repeating the same request returns the same terms and changes nothing. Returns `nil` if the tenant has no
    /// marketplace.
    ///
    /// - Parameter ids: The ids of the device's licenses, without duplicates; a number that can't be a license id is
    ///   ineligible.
    /// - Throws: ``ServerError`` if the store fails, or if it may have lost all of the licenses.
    func renewAppLicenses(
        _ ids: [UInt64], for requester: AppLicense.Requester
    ) async throws(ServerError) -> AppRenewals? {
        let now = clock.now()
        var random = SecureRandom()
        let requests = ids.map { number in
            (
                number, Int64(exactly: number).flatMap(LicenseID.init(number:)),
                Int.random(in: -1000...1000, using: &random)
            )
        }
        let bound = NamedAppLicenses.bind(requests.compactMap { $0.1 }, of: requester.tenant, at: now)
        return try await catalog.perform(bound) { [catalog] results, queries, snapshot in
            guard let marketplace = snapshot.catalog.tenants[requester.tenant]?.marketplace else {
                return TransactionResult(nil)
            }
            let licenses = results[queries.licenses]
            var indexes: [LicenseID: Int] = [:]
            indexes.reserveCapacity(licenses.count)
            for (index, license) in licenses.enumerated() where license.tenant == requester.tenant {
                indexes[license.id] = index
            }
            let rights = AppRights(results[queries.grants], results[queries.devices], at: requester.tenant)
            let deleted = Set(results[queries.accounts].filter { !$0.isOpen }.map(\.ref))
            let hasLostRecords = catalog.hasLostRecords
            var outcomes: [(id: UInt64, outcome: AppRenewals.Outcome)] = []
            var saves: [RowWrite] = []
            outcomes.reserveCapacity(requests.count)
            saves.reserveCapacity(2 * requests.count)
            for (number, id, draw) in requests {
                guard let license = id.flatMap({ indexes[$0] }).map({ licenses[$0] }) else {
                    let isMissing = id != nil && hasLostRecords
                    outcomes.append((number, isMissing ? .missing : .ineligible(Refusal(.appLicenseForeign))))
                    continue
                }
                let renewal = license.renew(
                    for: requester, of: marketplace.apps[license.item],
                    right: marketplace.right(
                        of: license.owner, to: license.item, granted: rights[license.account, license.item]),
                    access: marketplace.access, hasKey: marketplace.hasKey(of: license.asset),
                    isAccountOpen: license.owner.map { !deleted.contains($0) } ?? true, draw: draw, at: now)
                switch renewal {
                case .renewed(let renewed, let consequences):
                    outcomes.append((number, .renewed(renewed, before: consequences.isEmpty ? nil : license)))
                    saves.add(consequences, over: CollectionOfOne(license))
                case .ineligible(let refusal, let consequences):
                    outcomes.append((number, .ineligible(refusal)))
                    saves.add(consequences, over: CollectionOfOne(license))
                }
            }
            if !outcomes.isEmpty, outcomes.allSatisfy(\.outcome.isMissing) { throw ServerError.recordMissing }
            return TransactionResult(AppRenewals(outcomes: outcomes, snapshot: snapshot), saves)
        }
    }
}
