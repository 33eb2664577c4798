import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension Concern {
    /// Finds accounts of a marketplace that share an e-mail address. A shared address can't be used to sign in.
    static let accounts = Concern(after: .records) { context in [await sharedAddresses(context)] }

    private static func sharedAddresses(_ context: ConcernContext) async -> Finding {
        do throws(StoreError) {
            var pairs: [String] = []
            let tenants = try await context.features.catalog(of: context.store).tenants.values
            for tenant in tenants where tenant.marketplace != nil {
                pairs += try await Self.pairs(at: tenant.id, in: context.store)
            }
            guard let first = pairs.first else { return .ok("accounts", "no two accounts share an e-mail address") }
            return .warning(
                "accounts",
                "\(first) share an e-mail address"
                    + (pairs.count > 1 ? "; more such pairs: \(pairs.count - 1)" : ""),
                cure:
                    "Neither can sign in by e-mail, only by account name. Give one of them another address with `tenure account add`."
            )
        } catch {
            return .failure("accounts", error)
        }
    }

    private static func pairs(at tenant: TenantID, in store: any Store) async throws(StoreError) -> [String] {
        var owners: [FoldedText: AccountID] = [:]
        var pairs: [String] = []
        var after: AccountID?
        while true {
            let page = try await store.accounts(of: tenant, after: after, limit: 1000)
            for account in page {
                guard let email = account.email else { continue }
                if let owner = owners.updateValue(account.ref.account, forKey: FoldedText(email)) {
                    pairs.append("\(tenant): \(owner.text.printable) and \(account.ref.account.text.printable)")
                }
            }
            guard page.count == 1000, let last = page.last else { return pairs }
            after = last.ref.account
        }
    }
}
