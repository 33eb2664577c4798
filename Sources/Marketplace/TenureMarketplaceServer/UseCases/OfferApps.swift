import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

/// An app and a version as a device names them.
///
/// The version is `nil` if the number can't be a version id, such as `0`.
struct RequestedVersion: Sendable, Hashable {
    let item: AppleItemID
    let version: AppleVersionID?
    /// The version as the device wrote it.
    let versionText: String
}

/// An offer with its install token.
struct SignedOffer: Sendable {
    let offer: AppOffer
    let token: String
    let expiresAt: Timestamp
}

extension MarketplaceContext {
    /// Reads the account's grant for each app; at an open marketplace, every caller has the right to every app.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func offerRights(
        to items: [AppleItemID], of caller: DeviceCaller
    ) async throws(ServerError) -> @Sendable (AppleItemID) -> AppOffer.Right {
        guard let account = caller.account, caller.market.marketplace.access == .token else {
            return { _ in .everybody }
        }
        let plan = Self.grants
        let bound = plan.bind(
            .init(account: AccountRef(tenant: caller.market.tenant, account: account), items: items))
        let results = try await store.fetch(bound)
        let grants = Dictionary(results[plan.queries].map { ($0.item, $0) }, uniquingKeysWith: { $1 })
        return { .account(grants[$0]) }
    }

    /// Signs an install token for each offer on the crypto pool, without saving anything; offers of the same version
    /// share a token.
    ///
    /// - Parameter issuer: The marketplace's own app, by which Apple identifies the marketplace.
    /// - Throws: ``ServerError`` if a signature fails.
    func signOffers(
        _ offers: [AppOffer], as download: InstallToken.Download, by issuer: AppleItemID, at caller: MarketplaceCaller
    ) async throws(ServerError) -> [SignedOffer] {
        let key = caller.keys.distribution
        var random = SecureRandom()
        let now = clock.now()
        let tokens = offers.map { offer in
            InstallToken(
                issuer: issuer, bundleID: offer.app.bundleID ?? "", item: offer.app.item, version: offer.version.id,
                download: download, nonce: ActivationID.random(using: &random).description.uppercased(), issuedAt: now)
        }
        let signed = try await compute { () -> Result<[SignedOffer], CryptoError> in
            Result { () throws(CryptoError) in
                var signed: [SignedOffer] = []
                var versions: [OfferedVersion: String] = [:]
                for (offer, token) in zip(offers, tokens) {
                    let version = OfferedVersion(app: offer.app.item, version: offer.version.id)
                    if versions[version] == nil { versions[version] = try token.signed(by: key) }
                    guard let text = versions[version] else { continue }
                    signed.append(SignedOffer(offer: offer, token: text, expiresAt: token.expiresAt))
                }
                return signed
            }
        }
        do {
            return try signed.get()
        } catch {
            throw ServerError(.crypto, "An install token couldn't be signed.", cause: error.code.text)
        }
    }

    private struct OfferedVersion: Hashable {
        let app: AppleItemID
        let version: AppleVersionID
    }

    private struct GrantParameters: Sendable {
        let account: AccountRef
        let items: [AppleItemID]
    }

    private static let grants = QueryPlan(for: GrantParameters.self) { query in
        query.each(AppGrant.table.key) { bound in
            bound.items.flatMap { [.of(bound.account.tenant), .of(bound.account.account), .of($0)] }
        }
    }
}

extension InstallToken {
    fileprivate func signed(by key: SigningAssets.DistributionKey) throws(CryptoError) -> String {
        let input = signingInput(kid: key.id)
        return String(decoding: input.compact(signature: try key.privateKey.sign(input.bytes)), as: UTF8.self)
    }
}
