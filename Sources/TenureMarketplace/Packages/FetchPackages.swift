package import TenureCore
package import TenureHTTP
package import TenureServerKit
package import TenureStore

/// Says who may fetch which package, before any file is looked at.
package struct FetchPackages: Sendable {
    private let authenticate: AuthenticateAccount
    private let grants: OfferApps
    private let clock: any WallClock

    /// Reads credentials and grants in a store.
    package init(store: any Store, pool: ComputeLane, clock: any WallClock) {
        authenticate = AuthenticateAccount(store: store, clock: clock)
        grants = OfferApps(store: store, pool: pool, clock: clock)
        self.clock = clock
    }

    /// A package that whoever asks may fetch.
    package struct Place: Sendable {
        /// Whose marketplace.
        package let tenant: TenantID
        /// Which app.
        package let item: AppleItemID
        /// Which version.
        package let version: AppleVersionID
        /// Whether it was shown to an account alone, so that no cache may give it to another.
        package let isPrivate: Bool
        /// Whether the version has an asset of that name.
        package let hasAsset: @Sendable (AssetID) -> Bool
    }

    /// Lets in everyone, or at a marketplace that says so, an account that the app is granted to; the marketplace's own
    /// app is everybody's. Held versions are fetched on, those of apps that were withdrawn are not.
    ///
    /// Throws ``Failure`` and ``ServerError``.
    package func callAsFunction(
        _ request: Request, _ path: PathParameters, under snapshot: CatalogSnapshot
    ) async throws -> Place {
        let market = try MarketplacePlace(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
        guard let item = path["item"].flatMap({ AppleItemID(text: $0) }),
            let version = path["version"].flatMap({ AppleVersionID(text: $0) })
        else { throw Failure.noPackageFile }
        let isPrivate = market.marketplace.packageAccess == .token && item != market.marketplace.appleItemID
        var right = OfferRight.everybody
        if isPrivate {
            let account = try await request.account(at: market, by: authenticate)
            right = try await grants.rights(to: [item], of: DevicePlace(market: market, account: account))(item)
        }
        if case .refused(let refusal) = market.marketplace.fetch(item, version, right: right, at: clock.now()) {
            throw Failure(notInstalling: refusal, item)
        }
        return Place(
            tenant: market.tenant, item: item, version: version, isPrivate: isPrivate,
            hasAsset: { market.marketplace.hasKey(of: AssetRef(item: item, version: version, asset: $0)) })
    }
}

extension Failure {
    /// Nothing is at an address below a marketplace's packages.
    package static let noPackageFile = Failure(
        TurnedAway(
            404, code: "package_file_unknown", "The package has no such file; its manifest.json names those it has."))
}
