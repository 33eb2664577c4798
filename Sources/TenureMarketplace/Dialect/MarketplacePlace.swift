package import TenureCore
package import TenureHTTP
package import TenureServerKit

/// Where a device is let in: a marketplace, under one version of the catalog.
struct MarketplacePlace: Sendable {
    let tenant: TenantID
    let marketplace: Marketplace
    let keys: MarketplaceKeys
    let snapshot: CatalogSnapshot

    /// The marketplace of a tenant. Throws ``Failure`` when there is none, or none that is ready.
    init(_ tenant: TenantID?, in snapshot: CatalogSnapshot) throws(Failure) {
        guard let tenant, let marketplace = snapshot.catalog.tenants[tenant]?.marketplace else {
            throw .noMarketplace
        }
        guard let keys = snapshot.marketplaceKeys[tenant] else { throw .marketplaceNotReady }
        self.tenant = tenant
        self.marketplace = marketplace
        self.keys = keys
        self.snapshot = snapshot
    }
}

/// A marketplace and whose device asks: nobody's at an open one.
struct DevicePlace: Sendable {
    let market: MarketplacePlace
    let account: AccountID?
}

/// A marketplace and the account that asks.
struct AccountPlace: Sendable {
    let market: MarketplacePlace
    let account: AccountID
}

extension Admission where Snapshot == CatalogSnapshot, Place == MarketplacePlace {
    /// Lets everyone in, at the marketplace in the path.
    static var marketplace: Admission {
        Admission { _, path, snapshot in
            try MarketplacePlace(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
        }
    }

    /// Lets everyone in, at the marketplace whose domain the request asks, or at the only one there is.
    static var marketplaceOfHost: Admission {
        Admission { request, _, snapshot in try MarketplacePlace(snapshot.marketplace(askedBy: request), in: snapshot) }
    }
}

extension CatalogSnapshot {
    /// Whose marketplace a request asks by its host: the one of that domain or alias, or the only one there is. Nil for nobody's.
    package func marketplace(askedBy request: Request) -> TenantID? {
        let marketplaces = catalog.tenants.values.filter { $0.marketplace != nil }
        let asked = request.headers["Host"].map(Self.withoutPort)
        let named = asked.flatMap { host in
            marketplaces.first { $0.marketplace?.hosts.contains(host) ?? false }
        }
        return (named ?? (marketplaces.count == 1 ? marketplaces.first : nil))?.id
    }

    private static func withoutPort(_ host: String) -> String {
        let lower = host.lowercased()
        if lower.hasPrefix("[") { return String(lower.dropFirst().prefix { $0 != "]" }) }
        return String(lower.prefix { $0 != ":" })
    }
}

extension Admission where Snapshot == CatalogSnapshot, Place == DevicePlace {
    /// Lets in a device: at a marketplace that is not open, one that shows the token of an account.
    static func device(by authenticate: AuthenticateAccount) -> Admission {
        Admission { request, path, snapshot in
            let market = try MarketplacePlace(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
            let account =
                market.marketplace.access == .open ? nil : try await request.account(at: market, by: authenticate)
            return DevicePlace(market: market, account: account)
        }
    }
}

extension Admission where Snapshot == CatalogSnapshot, Place == AccountPlace {
    /// Lets in who shows the token of an account.
    static func account(by authenticate: AuthenticateAccount) -> Admission {
        Admission { request, path, snapshot in
            let market = try MarketplacePlace(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
            return AccountPlace(market: market, account: try await request.account(at: market, by: authenticate))
        }
    }
}

extension Request {
    func account(
        at market: MarketplacePlace, by authenticate: AuthenticateAccount
    ) async throws -> AccountID {
        guard let bearer else { throw Failure.accountTokenMissing }
        guard let account = try await authenticate(bearer, at: market.tenant) else {
            throw Failure.accountTokenInvalid
        }
        return account
    }
}

extension Failure {
    /// There is no marketplace where the request asks for one.
    package static let noMarketplace = Failure(
        TurnedAway(
            404, code: "marketplace_unknown", "There is no marketplace here.", among: Reason.Kind.appRequests))

    /// Every envelope that does not open, and every request in one that is not for this endpoint, gets this answer:
    /// it has no member of its own, so that nobody learns how far an envelope came (design §7).
    static let envelopeUnreadable = Failure(
        TurnedAway(
            400, code: "request_unreadable",
            "The sealed request does not open with this marketplace's keys, or is not meant for this endpoint. "
                + "Fetch /.well-known/marketplace-kit and the encryption certificate again, and send a new request."))

    fileprivate static let marketplaceNotReady = Failure(
        TurnedAway(
            503, code: "marketplace_not_ready",
            "The marketplace has no signing assets yet. Apply its catalog again, or import the assets with "
                + "`tenure marketplace import`.", title: "Not ready"), headers: ["Retry-After": "60"])

    /// The device shows "Verification Required" (`spec/apple.md` §4).
    fileprivate static let accountTokenMissing = Failure(
        TurnedAway(401, code: "token_missing", "Send the account's token as Authorization: Bearer TOKEN."),
        headers: ["WWW-Authenticate": "Bearer"])

    fileprivate static let accountTokenInvalid = Failure(
        TurnedAway(
            403, code: "token_invalid", "The token names no account of this marketplace, or has ended."),
        headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
}
