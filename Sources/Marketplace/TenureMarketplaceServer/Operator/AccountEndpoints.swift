import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The account endpoints of the operator API below `/v1/{tenant}/accounts`.
///
/// The endpoints only read requests and write responses; the use cases that they call make the decisions.
struct AccountEndpoints: Sendable {
    let context: MarketplaceContext
    let baseURL: String?

    init(_ context: ServerContext) {
        self.context = context.marketplace()
        baseURL = context.baseURL
    }

    var endpoints: [Endpoint] { [list, show, put, delete, grant, endGrant, handoff, link] }

    static let account = "/v1/{tenant}/accounts/{account}"
    private static let app = account + "/apps/{item}"

    private var authentication: Authentication<OperatorCaller> { with("accounts:write") }

    /// Accepts callers whose token has this scope.
    func with(_ scope: String) -> Authentication<OperatorCaller> {
        .operator(scope, by: context.shared)
    }

    /// Creates the account with this id, or changes it if it exists.
    private var put: Endpoint {
        let fields = Fields { fields in
            (
                account: try fields.required("account", .accountID, in: .path, "The account."),
                email: try fields.optional("email", .email, "The person's e-mail address; null leaves it unchanged.")
            )
        }
        return Endpoint(
            "PUT", Self.account, format: .problem, catalog: .cached, authentication: authentication, reads: fields,
            answers: Account.document,
            operation: Operation(
                "putAccount", "accounts", "Create or edit an account",
                "Absent fields stay unchanged. Repeating it changes nothing.")
        ) { call in
            let ref = AccountRef(tenant: call.caller.tenant, account: call.input.account)
            switch try await context.addAccount(ref, email: call.input.email, by: call.caller.actor) {
            case .created(let account), .existing(let account, _): return .done(account)
            case .emailTaken:
                throw Failure(
                    RejectedRequest(
                        409, code: "email_taken",
                        "Another account has this e-mail address. Nothing was changed; use another address.",
                        among: Reason.Kind.accountRequests))
            case .deleted:
                throw Failure.accountDeleted
            case .noMarketplace: throw Failure.noMarketplace
            }
        }
    }

    private var delete: Endpoint {
        let fields = Fields { fields in try fields.required("account", .accountID, in: .path, "The account.") }
        return Endpoint(
            "DELETE", Self.account, format: .problem, catalog: .cached, authentication: authentication, reads: fields,
            answers: DeletedAccount.document,
            operation: Operation(
                "deleteAccount", "accounts", "Delete an account",
                "For good: its grants end, its licenses are revoked, its tokens, links, sessions and sign-ins end, and "
                    + "its address and password are removed. Its id can't be used again. The response lists the "
                    + "grants that ended, and at most \(DeletedAccount.licenseLimit) of the licenses. Repeating it changes "
                    + "nothing, except that it completes a deletion that was interrupted; the response then lists "
                    + "only what was left.")
        ) { call in
            let ref = AccountRef(tenant: call.caller.tenant, account: call.input)
            guard let deleted = try await context.deleteAccount(ref, by: call.caller.actor) else {
                throw Failure.notFound
            }
            return .done(deleted)
        }
    }

    private var grant: Endpoint {
        let fields = Fields { fields in
            (
                account: try fields.required("account", .accountID, in: .path, "The account."),
                item: try fields.required("item", .appleItem, in: .path, "The app's Apple item id."),
                changes: try AppGrantField.all.compactMap { try $0.read(&fields) },
                again: try fields.optional(
                    "again", .boolean, "Whether devices whose license was revoked may get a new one.") ?? false
            )
        }
        return Endpoint(
            "PUT", Self.app, format: .problem, catalog: .cached, authentication: authentication, reads: fields,
            answers: AppGrant.document,
            operation: Operation(
                "grantApp", "accounts", "Grant an app to an account",
                "Devices of the account get licenses at their next request. Without expiresAt, an open grant keeps its "
                    + "end. A grant that has ended or expired is opened again.")
        ) { call in
            let ref = AccountRef(tenant: call.caller.tenant, account: call.input.account)
            return try await response(
                to: try await context.grantApp(
                    call.input.item, to: ref, call.input.changes, again: call.input.again, by: call.caller.actor),
                for: ref)
        }
    }

    private var endGrant: Endpoint {
        let fields = Fields { fields in
            (
                account: try fields.required("account", .accountID, in: .path, "The account."),
                item: try fields.required("item", .appleItem, in: .path, "The app's Apple item id.")
            )
        }
        return Endpoint(
            "DELETE", Self.app, format: .problem, catalog: .cached, authentication: authentication, reads: fields,
            answers: AppGrant.document,
            operation: Operation(
                "endAppGrant", "accounts", "End an account's app grant",
                "Licenses are no longer issued or renewed. Repeating it changes nothing.")
        ) { call in
            let ref = AccountRef(tenant: call.caller.tenant, account: call.input.account)
            return try await response(
                to: try await context.endAppGrant(call.input.item, of: ref, by: call.caller.actor), for: ref)
        }
    }

    private func response(
        to outcome: AppGrantOutcome, for ref: AccountRef
    ) async throws -> Documented<AsOf<AppGrant>> {
        switch outcome {
        case .done(let grant, _): return .done(AsOf(grant, at: context.clock.now()))
        case .refused(let refusal): return .refused(Failure(refusal))
        case .unknownAccount: throw try await missing(ref)
        }
    }

    /// The failure for an account that doesn't exist or was deleted.
    private func missing(_ ref: AccountRef) async throws(ServerError) -> Failure {
        let account = try await context.store.account(ref)
        return account?.isOpen == false ? .accountDeleted : .notFound
    }

    /// Creates the one-time handoff token that the marketplace app receives at its installation.
    private var handoff: Endpoint {
        let fields = Fields { fields in try fields.required("account", .accountID, in: .path, "The account.") }
        let document = Document<(text: String, expiresAt: Timestamp)>(
            nil,
            [
                .text("token", "The token for the installation link. It is shown only this once.") { $0.text },
                .dateTime("expiresAt", "When it expires, whether used or not.") { $0.expiresAt },
            ])
        return Endpoint(
            "POST", Self.account + "/handoffs", format: .problem, catalog: .cached, authentication: authentication,
            reads: fields,
            answers: document,
            status: 201,
            operation: Operation(
                "makeHandoff", "accounts", "Create the token for an installation link",
                "For a person who is signed in at the shop. The app exchanges it once for tokens of its own.",
                success: "Created. The token is shown only this once.")
        ) { call in
            let ref = AccountRef(tenant: call.caller.tenant, account: call.input)
            guard let handoff = try await context.makeHandoff(for: ref, by: call.caller.actor) else {
                throw try await missing(ref)
            }
            return .done(handoff)
        }
    }

    /// Creates the link that returns the browser to a sign-in after the shop has authenticated the person.
    private var link: Endpoint {
        let fields = Fields { fields in
            (
                account: try fields.required("account", .accountID, in: .path, "The account."),
                state: try fields.required("state", .text(longest: 8192), "The `state` that the sign-in page received.")
            )
        }
        let document = Document<(url: String, expiresAt: Timestamp)>(
            nil,
            [
                .text("url", "The URL to redirect the browser to; it works once.") { $0.url },
                .dateTime("expiresAt", "When it expires, whether used or not.") { $0.expiresAt },
            ])
        return Endpoint(
            "POST", Self.account + "/links", format: .problem, catalog: .current, authentication: authentication,
            reads: fields,
            answers: document,
            status: 201,
            operation: Operation(
                "endSignIn", "accounts", "Complete a sign-in at the shop",
                "For a marketplace whose signInURL is the shop's. The link works only in the browser in which the "
                    + "sign-in started.",
                success: "Created. The link is shown only this once.")
        ) { call in
            let ref = AccountRef(tenant: call.caller.tenant, account: call.input.account)
            let snapshot = context.catalog.current
            guard let marketplace = snapshot.catalog.tenants[ref.tenant]?.marketplace else {
                throw Failure.noMarketplace
            }
            let cipher = try context.catalog.secrets.pendingSignIns
            guard let pending = PendingSignIn(sealed: call.input.state, for: ref.tenant, under: cipher),
                context.clock.now() < pending.until
            else {
                throw Failure(
                    FieldFault(
                        "state", .invalid(must: "the state of a sign-in that was started within the last half hour")))
            }
            switch try await context.linkShopSignIn(pending, to: ref, by: call.caller.actor) {
            case .unknownAccount: throw try await missing(ref)
            case .over:
                throw Failure(
                    RejectedRequest(
                        409, code: "sign_in_over",
                        "The sign-in with this state has been completed already. Nothing was changed; start a new "
                            + "sign-in in the app.",
                        among: Reason.Kind.accountRequests))
            case .created(let link, let expiresAt):
                let path = PagePath(
                    PageSite.signIn.segments(of: ref.tenant) + ["link", link.text], query: [("state", call.input.state)]
                )
                let url = snapshot.origin(of: marketplace, orAt: baseURL) + path.text
                return .done((url, expiresAt))
            }
        }
    }
}

extension Failure {
    fileprivate static let accountDeleted = Failure(
        RejectedRequest(
            409, code: "account_deleted",
            "The account was deleted, and its id can't be used again. Nothing was changed; use another id.",
            among: Reason.Kind.accountRequests))
}
