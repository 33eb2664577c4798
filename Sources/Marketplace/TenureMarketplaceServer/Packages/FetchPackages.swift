package import TenureCore
package import TenureHTTP
import TenureMarketplace
package import TenureServerKit

extension MarketplaceContext {
    /// A package that its caller may download.
    package struct PackageDownload: Sendable {
        package let tenant: TenantID
        package let item: AppleItemID
        package let version: AppleVersionID
        /// Whether access depends on the account, so that shared caches mustn't store the response.
        package let isPrivate: Bool
        /// Whether the version has an asset with this id.
        package let hasAsset: @Sendable (AssetID) -> Bool
    }

    /// Decides whether a caller may download a package, before any file is opened.
    ///
    /// Accepts every caller, or only accounts with a grant if the marketplace requires that. Every caller may download
    /// the marketplace's own app. Versions that are held back can still be downloaded, but packages of withdrawn apps
    /// can't.
    ///
    /// - Throws: ``Failure`` if the caller may not download the package, ``ServerError`` if the store fails.
    package func authorizeDownload(
        _ request: Request, _ path: PathParameters, under snapshot: CatalogSnapshot
    ) async throws -> PackageDownload {
        let market = try MarketplaceCaller(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
        guard let item = path["item"].flatMap({ AppleItemID(text: $0) }),
            let version = path["version"].flatMap({ AppleVersionID(text: $0) })
        else { throw Failure.noPackageFile }
        let isPrivate = market.marketplace.packageAccess == .token && item != market.marketplace.appleItemID
        var right = AppOffer.Right.everybody
        if isPrivate {
            let account = try await request.account(at: market, by: self)
            right = try await offerRights(to: [item], of: DeviceCaller(market: market, account: account))(item)
        }
        if case .refused(let refusal) = market.marketplace.fetch(item, version, right: right, at: clock.now()) {
            throw Failure(notInstalling: refusal, item)
        }
        return PackageDownload(
            tenant: market.tenant, item: item, version: version, isPrivate: isPrivate,
            hasAsset: { market.marketplace.hasKey(of: AssetRef(item: item, version: version, asset: $0)) })
    }
}

extension Failure {
    /// The error for an unknown file below a marketplace's packages.
    package static let noPackageFile = Failure(
        RejectedRequest(
            404, code: "package_file_unknown", "The package has no such file. Its manifest.json lists the files it has."
        ))
}
