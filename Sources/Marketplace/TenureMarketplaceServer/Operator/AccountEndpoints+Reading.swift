import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The read endpoints for a vendor's support.
///
/// The endpoints require the scope `accounts:read`.
extension AccountEndpoints {
    private struct ListQuestion: Sendable {
        let account: AccountID?
        let email: String?
        let after: AccountID?
        let limit: Int
    }

    /// Lists accounts: all accounts, the account with an id, or the accounts with an e-mail address.
    var list: Endpoint {
        let fields = Fields { fields in
            ListQuestion(
                account: try fields.optional("account", .accountID, in: .query, "Only the account with this id."),
                email: try fields.optional(
                    "email", .email, in: .query, "Only accounts with this address, ignoring case."),
                after: try fields.optional(
                    "after", .accountID, in: .query, "The value of `next` from the previous page."),
                limit: try fields.pageLimit())
        }
        return Endpoint(
            "GET", "/v1/{tenant}/accounts", format: .problem, catalog: .cached, authentication: with("accounts:read"),
            reads: fields,
            answers: ListPage.document("accounts", of: Account.document),
            operation: Operation(
                "listAccounts", "accounts", "List accounts",
                "Ordered by the bytes of their ids; those with an e-mail address, oldest first.")
        ) { call in
            let (input, tenant) = (call.input, call.caller.tenant)
            let accounts: [Account]
            if let account = input.account {
                let found = try await context.store.account(AccountRef(tenant: tenant, account: account))
                accounts = [found].compactMap(\.self).filter { account in
                    input.after.map { $0 < account.ref.account } ?? true
                        && input.email.map { account.email?.lowercased() == $0.lowercased() } ?? true
                }
            } else if let email = input.email {
                accounts = try await context.store.accounts(
                    email: email, of: tenant, after: input.after, limit: input.limit)
            } else {
                accounts = try await context.store.accounts(of: tenant, after: input.after, limit: input.limit)
            }
            let next = accounts.count == input.limit ? accounts.last?.ref.account.text : nil
            return .done(ListPage(accounts, next: next))
        }
    }

    /// Returns one account with its devices, grants and refusals.
    var show: Endpoint {
        let fields = Fields { fields in try fields.required("account", .accountID, in: .path, "The account.") }
        return Endpoint(
            "GET", Self.account, format: .problem, catalog: .cached, authentication: with("accounts:read"),
            reads: fields,
            answers: AccountRecord.document,
            operation: Operation(
                "getAccount", "accounts", "Get an account with its devices, grants and refusals",
                "Includes the devices and licenses of its first 1,000 licenses. `GET licenses?kind=app` lists them all."
            )
        ) { call in
            let ref = AccountRef(tenant: call.caller.tenant, account: call.input)
            guard let record = try await AccountRecord.read(ref, in: context.store, at: context.clock.now()) else {
                throw Failure.notFound
            }
            return .done(record)
        }
    }
}
