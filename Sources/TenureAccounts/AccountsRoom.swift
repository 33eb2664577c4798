import TenureCore
import TenureHTTP
import TenureMarketplace
import TenurePages
package import TenureServerKit

extension Room {
    /// Accounts of a marketplace for apps and shops: signing in with OAuth 2.0, and what a shop's backend says of them.
    package static let accounts: Room = {
        var room = Room("accounts")
        room.requests = [Room.Family("Requests about accounts", Reason.Kind.accountRequests)]
        room.open = { context throws(ServerError) in OpenRoom(accounts: context) }
        return room
    }()
}

extension OpenRoom {
    fileprivate init(accounts context: ServerContext) {
        self.init()
        let pages = SignInPages(context)
        let tokens = TokenDialect(context)
        let operators = AccountEndpoints(context)
        endpoints = pages.endpoints + tokens.endpoints + operators.endpoints
    }
}

extension Admission where Snapshot == CatalogSnapshot, Place == AccountsPlace {
    /// Lets everyone in, where the tenant in the path has a marketplace.
    static var marketplace: Admission {
        Admission { _, path, snapshot in
            try AccountsPlace(path["tenant"].flatMap { TenantID($0) }, in: snapshot)
        }
    }

    /// Lets everyone in, at the marketplace whose domain the request asks, or at the only one there is.
    static var marketplaceOfHost: Admission {
        Admission { request, _, snapshot in try AccountsPlace(snapshot.marketplace(askedBy: request), in: snapshot) }
    }
}

/// A marketplace whose accounts a request is about, under one version of the catalog.
struct AccountsPlace: Sendable {
    let tenant: TenantID
    let marketplace: Marketplace
    let snapshot: CatalogSnapshot

    /// The marketplace of a tenant. Throws ``Failure`` when there is none.
    init(_ tenant: TenantID?, in snapshot: CatalogSnapshot) throws(Failure) {
        guard let tenant, let marketplace = snapshot.catalog.tenants[tenant]?.marketplace else { throw .noMarketplace }
        self.tenant = tenant
        self.marketplace = marketplace
        self.snapshot = snapshot
    }
}
