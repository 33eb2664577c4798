import TenureCore
import TenureCrypto
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The limits on issuing app licenses, because anyone may send requests to an open marketplace.
struct AppIssuanceLimits: Sendable {
    let refused: RefusedApps
    let newDevices: NewDevices

    /// The rate limit for devices without a license, by tenant and source.
    typealias NewDevices = RateLimiter<TenantID, NewDevice>

    /// The source of a new device's request; if the address is unknown, each request is its own source.
    enum NewDevice: Hashable, Sendable {
        case from(IPAddress)
        case unknown(request: String)
    }
}

/// The results of a license request, in the order of the requested apps, with the catalog version that they are based
/// on.
struct AppIssuances: Sendable {
    let outcomes: [(asset: AssetRef, outcome: Outcome)]
    let snapshot: CatalogSnapshot

    /// The result for one app.
    enum Outcome: Sendable {
        case licensed(AppLicense, AppLicense.Issuance)
        case refused(Refusal)
    }
}

extension MarketplaceContext {
    /// Issues licenses for the apps that a device requests, with a separate result for each app.
    ///
    /// One durable transaction decides on all apps, and also reads the grants and the devices that count towards their
    /// limits. Refusals are saved as events, so that support can explain them; see ``RefusedApps`` for the limit. New
    /// devices without an account are easy to fake, so they are rate-limited and may have to wait. Devices with a
    /// license never wait. Returns `nil` if the tenant has no marketplace.
    ///
    /// - Parameters:
    ///   - assets: The assets to license, one for each app.
    ///   - sealed: The apps in the encrypted part of the request; others are refused (Apple's documentation).
    ///   - request: The request's id, as in `X-Request-Id` and the log.
    /// - Throws: ``ServerError`` if the store fails.
    func issueAppLicenses(
        _ assets: [AssetRef], sealed: Set<AppleItemID>, to requester: AppLicense.Requester,
        from source: AppIssuanceLimits.NewDevice, as request: String, limits: AppIssuanceLimits
    ) async throws(ServerError) -> AppIssuances? {
        let (refused, newDevices) = (limits.refused, limits.newDevices)
        guard requester.account == nil else {
            return try await decide(assets, sealed, requester, request, refused, mayBeNew: true)?.issuances
        }
        let hasTurn = newDevices.takeNow(in: requester.tenant)
        var isUsed = false
        defer { if hasTurn && !isUsed { newDevices.giveBack(in: requester.tenant) } }
        if let decided = try await decide(assets, sealed, requester, request, refused, mayBeNew: hasTurn) {
            isUsed = decided.isNew
            return decided.issuances
        }
        try await newDevices.take(in: requester.tenant, as: source)
        return try await decide(assets, sealed, requester, request, refused, mayBeNew: true)?.issuances
    }

    /// Decides on the requested apps. Returns `nil` without changing anything if the device is new and must wait.
    private func decide(
        _ assets: [AssetRef], _ sealed: Set<AppleItemID>, _ requester: AppLicense.Requester, _ request: String,
        _ refused: RefusedApps, mayBeNew: Bool
    ) async throws(ServerError) -> (issuances: AppIssuances?, isNew: Bool)? {
        let now = clock.now()
        var random = SecureRandom()
        let apps = assets.map { asset in
            (asset, LicenseID.randomForApp(using: &random), Int.random(in: -1000...1000, using: &random))
        }
        let bound = RequestedApps.bind(assets.map(\.item), by: requester, at: now)
        let room = refused.room(for: assets.count, of: requester.tenant)
        var (unused, beyond) = (room, [String: Int64]())
        defer { refused.refund(unused: unused, beyond: beyond, of: requester.tenant) }
        let decided = try await catalog.perform(bound) {
            results, queries, snapshot -> TransactionResult<(AppIssuances?, isNew: Bool)?> in
            guard let marketplace = snapshot.catalog.tenants[requester.tenant]?.marketplace else {
                return TransactionResult((nil, isNew: false))
            }
            let isNew = queries.licenses.map { results[$0].isEmpty } ?? false
            if isNew && !mayBeNew { return TransactionResult(nil) }
            // A request that was authenticated just before the account was deleted must not get the marketplace's own
            // app.
            let owner = queries.account.flatMap { results[$0] }.flatMap { $0.isOpen ? requester.owner : nil }
            let rights = queries.rights.map { AppRights(results[$0.grants], results[$0.devices], at: requester.tenant) }
            let earlierByApp = Dictionary(grouping: results[queries.earlier], by: \.item)
            var outcomes: [(AssetRef, AppIssuances.Outcome)] = []
            var saves: [RowWrite] = []
            var eventCount = 0
            for (asset, newID, draw) in apps {
                let licenseRequest = AppLicense.Request(
                    asset: asset, hasKey: marketplace.hasKey(of: asset), newID: newID, draw: draw)
                let earlier = earlierByApp[asset.item] ?? []
                let decision =
                    sealed.contains(asset.item)
                    ? marketplace.issue(
                        licenseRequest, to: requester,
                        right: marketplace.right(
                            of: owner, to: asset.item, granted: rights?[requester.account, asset.item]),
                        earlier: earlier, at: now)
                    : .refused(Refusal(.appNotRequested(asset.item)))
                switch decision {
                case .granted(let (license, consequences)):
                    let replaced = consequences.licenses.filter { $0.id != license.id }
                    let issuance = consequences.isEmpty ? AppLicense.Issuance.repeated : .new(replacing: replaced)
                    outcomes.append((asset, .licensed(license, issuance)))
                    saves.add(consequences, over: earlier)
                case .refused(let refusal):
                    outcomes.append((asset, .refused(refusal)))
                    eventCount += 1
                    if eventCount <= room {
                        saves.append(.event(requester.refused(asset, refusal, in: request, at: now)))
                    }
                }
            }
            let isUsed = isNew && eventCount < outcomes.count
            return TransactionResult((AppIssuances(outcomes: outcomes, snapshot: snapshot), isNew: isUsed), saves)
        }
        guard let (issuances, isNew) = decided else { return nil }
        let refusals = (issuances?.outcomes ?? []).compactMap { app -> Refusal? in
            if case .refused(let refusal) = app.outcome { refusal } else { nil }
        }
        unused = room - min(room, refusals.count)
        for refusal in refusals.dropFirst(room) { beyond[refusal.codes, default: 0] += 1 }
        return (issuances, isNew)
    }
}

extension Refusal {
    /// The codes of all reasons of the refusal, separated by spaces, as recorded in an event.
    fileprivate var codes: String { reasons.map(\.code.text).joined(separator: " ") }
}

extension AppLicense.Requester {
    /// The requesting account; `nil` at an open marketplace.
    var owner: AccountRef? { account.map { AccountRef(tenant: tenant, account: $0) } }

    /// The event for an app that was refused.
    ///
    /// The event contains the device's public id, by which support can find the person's device.
    fileprivate func refused(
        _ asset: AssetRef, _ refusal: Refusal, in request: String, at now: Timestamp
    ) -> Event {
        Event(
            .appLicenseRefused, at: now, actor: .device,
            about: .init(tenant: tenant, app: asset.item, account: account),
            facts: [
                .init("appleVersionID", .text(asset.version.description)), .init("asset", .text(asset.asset.text)),
                .init("reason", .text(refusal.codes)), .init("device", .text(device.shortText)),
                .init("request", .text(request)),
            ])
    }
}
