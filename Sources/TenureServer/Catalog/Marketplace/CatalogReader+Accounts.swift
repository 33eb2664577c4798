import TenureCore
import TenureFormats

extension CatalogReader {
    /// The accounts of a marketplace; each may be granted the apps that the file lists.
    mutating func accounts(
        _ nodes: [CatalogNode], of tenant: TenantID, granting apps: [AppleItemID: MarketplaceApp]
    ) -> [ListedAccount] {
        var seen: Set<AccountID> = []
        return nodes.compactMap { node in
            guard let account = account(node, of: tenant, granting: apps) else { return nil }
            if !seen.insert(account.ref.account).inserted { report(node, "the account is named twice") }
            return account
        }
    }

    private mutating func account(
        _ node: CatalogNode, of tenant: TenantID, granting known: [AppleItemID: MarketplaceApp]
    ) -> ListedAccount? {
        let members = object(node, knowing: ["id", "email", "apps", "expiresAt"])
        guard let idNode = members["id"] else {
            report(node, "needs an \"id\"")
            return nil
        }
        guard case .string(let text) = idNode.value, let id = AccountID(text) else {
            report(idNode, "must be a text of 1 to 128 bytes without control characters")
            return nil
        }
        var apps: [AppleItemID] = []
        for element in list(members["apps"]) {
            guard let item = item(element) else { continue }
            if known[item] == nil {
                report(element, "the marketplace lists no such app; add it to \"apps\"")
            } else if apps.contains(item) {
                report(element, "the app is granted twice")
            }
            apps.append(item)
        }
        return ListedAccount(
            ref: AccountRef(tenant: tenant, account: id), email: email(members["email"]), apps: apps,
            end: end(members["expiresAt"]))
    }
}
