package import TenureCore
package import TenureHTTP
import TenureMarketplace
package import TenureServerKit

/// The marketplace that a request is for, with the catalog version that the request reads.
///
/// It is a class, because every asynchronous function on a request's path would allocate memory for copies of a struct.
final class MarketplaceCaller: Sendable {
    let tenant: TenantID
    let marketplace: Marketplace
    let keys: MarketplaceKeys
    let snapshot: CatalogSnapshot

    /// Finds a tenant's marketplace.
    ///
    /// - Throws: ``Failure`` if the tenant has no marketplace, or one without keys.
    init(_ tenant: TenantID?, in snapshot: CatalogSnapshot) throws(Failure) {
        guard let tenant, let marketplace = snapshot.catalog.tenants[tenant]?.marketplace else {
            throw .noMarketplace.aboutMissingRecord(tenant != nil)
        }
        guard let keys = snapshot.marketplaceKeys[tenant] else { throw .marketplaceNotReady }
        self.tenant = tenant
        self.marketplace = marketplace
        self.keys = keys
        self.snapshot = snapshot
    }
}

/// A device at a marketplace; `account` is `nil` at an open marketplace.
struct DeviceCaller: Sendable {
    let market: MarketplaceCaller
    let account: AccountID?
}

/// A caller with a token of this account at a marketplace.
struct AccountCaller: Sendable {
    let market: MarketplaceCaller
    let account: AccountID
}

extension Authentication where Caller == MarketplaceCaller {
    /// Accepts every caller at the marketplace in the path.
    static var marketplace: Authentication {
        Authentication { _, path, snapshot in
            try MarketplaceCaller(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
        }
    }

    /// Accepts every caller at the marketplace whose domain the request names, or at the only marketplace.
    static var marketplaceOfHost: Authentication {
        Authentication { request, _, snapshot in
            try MarketplaceCaller(snapshot.marketplace(askedBy: request), in: snapshot)
        }
    }
}

extension CatalogSnapshot {
    /// The tenant whose marketplace has the request's host as its domain or alias, or the only tenant with a
    /// marketplace.
    ///
    /// Returns `nil` if there is no such tenant.
    package func marketplace(askedBy request: Request) -> TenantID? {
        let marketplaces = catalog.tenants.values.filter { $0.marketplace != nil }
        let requested = request.headers["Host"].map(Self.withoutPort)
        let named = requested.flatMap { host in
            marketplaces.first { $0.marketplace?.hosts.contains(host) ?? false }
        }
        return (named ?? (marketplaces.count == 1 ? marketplaces.first : nil))?.id
    }

    private static func withoutPort(_ host: String) -> String {
        let lower = host.asciiLowercased
        return String(lower.text(after: "[")?.before(anyByteOf: "]") ?? lower.before(anyByteOf: ":"))
    }
}

extension Authentication where Caller == DeviceCaller {
    /// Accepts every device at an open marketplace; at others, the request needs an account's token.
    static func device(by context: MarketplaceContext) -> Authentication {
        Authentication { request, path, snapshot in
            let market = try MarketplaceCaller(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
            let account =
                market.marketplace.access == .open ? nil : try await request.account(at: market, by: context)
            return DeviceCaller(market: market, account: account)
        }
    }
}

extension Authentication where Caller == AccountCaller {
    /// Accepts callers with an account's token.
    static func account(by context: MarketplaceContext) -> Authentication {
        Authentication { request, path, snapshot in
            let market = try MarketplaceCaller(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
            return AccountCaller(market: market, account: try await request.account(at: market, by: context))
        }
    }
}

extension Request {
    func account(
        at market: MarketplaceCaller, by context: MarketplaceContext
    ) async throws -> AccountID {
        guard let bearer else { throw Failure.accountTokenMissing }
        switch try await context.authenticateAccount(bearer, at: market.tenant) {
        case .account(let account): return account
        case .invalid: throw Failure.accountTokenInvalid
        case .unknown: throw Failure.accountTokenInvalid.aboutMissingRecord()
        }
    }
}

extension Failure {
    /// The error for a request to a marketplace that doesn't exist.
    package static let noMarketplace = Failure(
        RejectedRequest(
            404, code: "marketplace_unknown", "This host has no marketplace. Use the domain that the catalog names.",
            among: Reason.Kind.appRequests))

    /// The error for every envelope that can't be decrypted or is for another endpoint.
    ///
    /// The error has no details, so that a caller can't learn how far an envelope was processed.
    static let envelopeUnreadable = Failure(
        RejectedRequest(
            400, code: "request_unreadable",
            "The encrypted request can't be decrypted with this marketplace's keys, or is for another endpoint. "
                + "Fetch /.well-known/marketplace-kit and the encryption certificate again, and send a new request."))

    fileprivate static let marketplaceNotReady = Failure(
        RejectedRequest(
            503, code: "marketplace_not_ready",
            "The marketplace doesn't have its signing assets yet. Apply its catalog again, or import the assets with "
                + "`tenure marketplace import`.", title: "Not ready"), headers: ["Retry-After": "60"])

    /// The error for a request without an account's token. With its status, the device shows "Verification Required"
    /// (Apple's documentation).
    fileprivate static let accountTokenMissing = Failure(
        RejectedRequest(
            401, code: "token_missing",
            "The request has no token. Send the account's token as Authorization: Bearer TOKEN."),
        headers: ["WWW-Authenticate": "Bearer"])

    fileprivate static let accountTokenInvalid = Failure(
        RejectedRequest(
            403, code: "token_invalid",
            "The token has expired or belongs to no account of this marketplace. Sign in again."),
        headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
}
