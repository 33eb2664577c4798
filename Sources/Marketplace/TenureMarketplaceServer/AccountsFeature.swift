import TenureCore
import TenureMarketplace
package import TenureServerKit

extension Feature {
    /// The feature for marketplace accounts: OAuth 2.0 sign-in for apps and the account API for a shop's backend.
    package static let accounts: Feature = {
        var feature = Feature("accounts")
        feature.requests = [Feature.Family("Requests about accounts", Reason.Kind.accountRequests)]
        feature.commands = { installations in
            [
                FeatureCommand(AccountCommands.group(installations), in: .marketplace),
                FeatureCommand(SupportCommand.command(installations), in: .marketplace),
            ]
        }
        feature.tags = [("accounts", "Customer accounts of a marketplace, for a shop with its own accounts.")]
        feature.scopes = [
            TokenScope("accounts:read", order: 40), TokenScope("accounts:write", order: 41),
            TokenScope("links:write", order: 42),
        ]
        feature.reservesPath = { path in path[0] == "oauth" }
        feature.tenantPaths = ["accounts"]
        feature.open = { context throws(ServerError) in RunningFeature(accounts: context) }
        return feature
    }()
}

extension RunningFeature {
    fileprivate init(accounts context: ServerContext) {
        self.init()
        let pages = SignInPages(context)
        let tokens = TokenDialect(context)
        let operators = AccountEndpoints(context)
        endpoints = pages.endpoints + tokens.endpoints + operators.endpoints
    }
}

extension Authentication where Caller == AccountsCaller {
    /// Accepts every caller if the tenant in the path has a marketplace.
    static var accountsOfTenant: Authentication {
        Authentication { _, path, snapshot in
            try AccountsCaller(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
        }
    }

    /// Accepts every caller, at the marketplace whose domain the request names, or at the server's only marketplace.
    static var accountsOfHost: Authentication {
        Authentication { request, _, snapshot in
            try AccountsCaller(snapshot.marketplace(askedBy: request), in: snapshot)
        }
    }
}

/// The marketplace whose accounts a request is about, with the catalog version that the request reads.
struct AccountsCaller: Sendable {
    let tenant: TenantID
    let marketplace: Marketplace
    let snapshot: CatalogSnapshot

    /// Finds a tenant's marketplace.
    ///
    /// - Throws: ``Failure`` if the tenant is missing, unknown or has no marketplace.
    init(_ tenant: TenantID?, in snapshot: CatalogSnapshot) throws(Failure) {
        guard let tenant, let marketplace = snapshot.catalog.tenants[tenant]?.marketplace else { throw .noMarketplace }
        self.tenant = tenant
        self.marketplace = marketplace
        self.snapshot = snapshot
    }
}
