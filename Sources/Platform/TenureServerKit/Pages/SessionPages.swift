import TenureCore
import TenureHTTP

/// The pages of a site that a person opens with a one-time link, and the actions of the session that the link opens.
///
/// The feature supplies the content of the pages and performs the actions. The rest is the same for all sites: the
/// link's page, the session and its end, and the checks before each action. Every action is a form with the session's
/// code. Every change is recorded as an event with the session's reference.
package struct SessionPages<Row: PageCredential>: Sendable {
    /// Returns the page for a visitor without a session; `nil` if the tenant has no such site, so that the visitor
    /// gets 404.
    ///
    /// The second argument is whether the visitor's session has ended. On a site without accounts, it's always `false`:
    /// there, such a visitor is told to request another link.
    package typealias Entrance = @Sendable (PageGroup.Visitor, Bool) -> Page?
    /// Returns the start page of a session; `nil` if the tenant has no such site.
    package typealias Start = @Sendable (PageGroup.Visitor, Row.Owner) async throws(ServerError) -> Page?

    /// Returns the page of a link, given the link's text.
    package typealias Link = @Sendable (String, PageFrame) -> LinkView

    package let group: PageGroup
    package let sessions: PageSessions<Row>
    private let link: Link
    private let isLinkInPath: Bool
    private let entrance: Entrance
    private let start: Start
    private let attempts = AttemptLimit(AttemptCounter(perName: 30, total: 600, window: 900))

    /// Declares the pages.
    ///
    /// - Parameter isLinkInPath: Whether the form on a link's page is submitted to the link's own path, instead of to
    ///   the path `link`.
    package init(
        _ group: PageGroup, _ sessions: PageSessions<Row>, isLinkInPath: Bool = false, link: @escaping Link,
        entrance: @escaping Entrance, start: @escaping Start
    ) {
        self.group = group
        self.sessions = sessions
        self.link = link
        self.isLinkInPath = isLinkInPath
        self.entrance = entrance
        self.start = start
    }

    /// The endpoints for the start page, the page and the form of a link, and the form that ends the session.
    package var endpoints: [Endpoint] {
        let path = Fields { fields in try fields.required("link", .linkInPath, in: .path) as String? }
        let form = Fields { fields in try fields.optional("link", .formText) }
        let code = Fields { fields in try fields.optional("code", .formText) }
        return [
            group.page("GET", "", .none) { visitor, _ in try await start(visitor) },
            group.page("GET", "/link/{link}", path) { visitor, link in try await show(link ?? "", visitor.visit) },
        ]
            + (isLinkInPath
                ? [group.page("POST", "/link/{link}", path) { try await useLink($1, $0.visit) }]
                : group.form("link", form) { try await useLink($1, $0.visit) })
            + group.form("sign-out", code) { try await $0.visit.closeSession($1, with: sessions) }
    }

    /// Declares an action of a session.
    ///
    /// Before the action is performed, the form's origin, the session, the form's code and the rate limit are checked,
    /// in this order.
    ///
    /// - Parameters:
    ///   - name: The path segment below the start page.
    ///   - fields: The fields of the form besides the session's code.
    ///   - perform: Performs the action, in a transaction that checks the session again. Returns the outcome to show;
    ///     `nil` if the session has ended in the meantime.
    package func action<Input: Sendable>(
        _ name: String, _ fields: Fields<Input>,
        _ perform: @escaping @Sendable (PageAct<Row.Owner>, Input) async throws(ServerError) -> OutcomeView.Outcome?
    ) -> [Endpoint] {
        let repeatsClaims = group.site.hasAccounts
        let form = Fields { reader in
            (
                code: try reader.optional("code", .formText),
                claims: repeatsClaims ? try ResolutionClaims(form: &reader) : .none, input: try fields.read(&reader)
            )
        }
        return group.form(name, form) { visitor, form in
            let (visit, claims) = (visitor.visit, form.claims)
            guard visit.request.isFromOwnPage else { return visit.show(.formRefused, for: claims) }
            guard let (token, owner) = try await visit.session(in: sessions) else {
                return visit.show(group.site.noSession, for: claims)
            }
            let own = visit.signedIn(as: owner.whose, with: token)
            guard let code = form.code, token.accepts(code, for: visit.tenant) else {
                return own.show(.formRefused, for: claims)
            }
            if case .refused(let seconds) = attempts.authenticate(
                owner.limitName, of: visit.tenant, at: sessions.clock.now())
            {
                return own.show(.tooMany(retryAfter: seconds), for: claims)
            }
            let outcome = try await perform(PageAct(frame: own.frame, token: token, owner: owner), form.input)
            guard let outcome else { return visit.show(group.site.noSession, for: claims) }
            return own.show(outcome, for: claims)
        }
    }

    private func start(_ visitor: PageGroup.Visitor) async throws(ServerError) -> Response {
        let visit = visitor.visit
        guard visit.hasSessionCookie else { return enter(visitor) }
        let session: (token: SessionToken, owner: Row.Owner)?
        do throws(ServerError) {
            session = try await visit.session(in: sessions)
        } catch {
            guard error.code == .recordMissing, group.site.hasAccounts else { throw error }
            // The store may have lost this session's record. The person can sign in again at once. The cookie isn't
            // removed, because an operator may still recover the record.
            return enter(visitor, hasEnded: true)
        }
        guard let (token, owner) = session else {
            var response = enter(visitor, hasEnded: true)
            response.headers.add("Set-Cookie", visit.cookie.removal)
            return response
        }
        var visitor = visitor
        visitor.visit = visit.signedIn(as: owner.whose, with: token)
        guard let page = try await start(visitor, owner) else { return .noPage(for: visit.request) }
        return visitor.visit.show(page)
    }

    private func enter(_ visitor: PageGroup.Visitor, hasEnded: Bool = false) -> Response {
        if hasEnded, !group.site.hasAccounts { return visitor.visit.show(group.site.noSession) }
        guard let page = entrance(visitor, hasEnded) else { return .noPage(for: visitor.visit.request) }
        return visitor.visit.show(page)
    }

    private func show(_ text: String, _ visit: Visit) async throws(ServerError) -> Response {
        guard try await sessions.isOpen(text, at: visit.tenant) else { return visit.show(group.site.linkSpent) }
        var view = link(text, visit.frame)
        view.isSentToItself = isLinkInPath
        return visit.show(view.page(in: visit.frame))
    }

    private func useLink(_ link: String?, _ visit: Visit) async throws(ServerError) -> Response {
        guard visit.request.isFromOwnPage else { return visit.show(.formRefused) }
        guard let link, let token = try await sessions.open(link, at: visit.tenant) else {
            return visit.show(group.site.linkSpent)
        }
        return visit.begin(token)
    }
}

/// An action that a person takes in a session, after every check has passed.
package struct PageAct<Owner: PageOwner>: Sendable {
    /// The frame of the page that shows the outcome.
    package let frame: PageFrame
    package let token: SessionToken
    package let owner: Owner
}

extension PageSite {
    /// The outcome of an action whose session has ended.
    var noSession: OutcomeView.Outcome { hasAccounts ? .noSession : .licenseClosed }
    /// The outcome of opening a link that isn't valid.
    var linkSpent: OutcomeView.Outcome { hasAccounts ? .linkSpent : .licenseLinkSpent }
    /// The outcome of ending the session.
    var signedOut: OutcomeView.Outcome { hasAccounts ? .signedOut : .licenseClosed }
}
