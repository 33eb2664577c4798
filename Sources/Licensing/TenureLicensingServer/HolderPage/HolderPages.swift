import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore

/// The page of one license, where the holder sees its devices and releases them as far as the policy allows.
///
/// It's for a holder whose old device is lost and whose new one can't be activated. A one-time link from the operator
/// opens a session. Every action needs that session, is a form with the session's code, and records an event with the
/// session's reference.
package struct HolderPages: Sendable {
    let licensing: LicensingContext
    let notices: [PageFrame.Notice]
    let sessions: HolderSessions
    let acts = AttemptLimit(AttemptCounter(perName: 30, total: 600, window: 900))

    /// Creates the pages.
    ///
    /// - Parameter notices: Notices about the server that every page shows.
    init(_ licensing: LicensingContext, notices: [PageFrame.Notice]) {
        self.licensing = licensing
        self.notices = notices
        sessions = HolderSessions(licensing: licensing)
    }

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    /// The fields of the forms.
    struct Form: Sendable {
        let link: String?
        let code: String?
        let activation: String?
    }

    /// A vendor's license page, under one version of the catalog.
    struct Caller: PageCaller {
        let visit: Visit
        let snapshot: CatalogSnapshot
    }

    /// The pages under `/portal/{tenant}`.
    var endpoints: [Endpoint] {
        let form = Fields { fields in
            Form(
                link: try fields.optional("link", .formText), code: try fields.optional("code", .formText),
                activation: try fields.optional("activation", .formText))
        }
        let link = Fields { fields in try fields.required("link", .linkInPath, in: .path) }
        var all = [
            page("GET", "", .none) { try await start($0.caller.visit, $0.caller.snapshot) },
            page("GET", "/link/{link}", link) { call in
                let visit = call.caller.visit
                guard try await sessions.isOpen(call.input, at: visit.tenant) else {
                    return visit.show(.licenseLinkSpent)
                }
                let link = LinkView(
                    text: call.input,
                    shows: LicensePageText.linkShows.spoken())
                return visit.show(link.page(in: visit.frame))
            },
        ]
        let forms: [(String, @Sendable (Visit, Form) async throws(ServerError) -> Response)] = [
            ("link", useLink), ("release", release), ("sign-out", close),
        ]
        for (name, act) in forms {
            all.append(page("POST", "/" + name, form) { try await act($0.caller.visit, $0.input) })
            all.append(page("GET", "/" + name, .none) { .seeOther($0.caller.visit.frame.path()) })
        }
        return all
    }

    private func page<Input: Sendable>(
        _ method: String, _ path: String, _ fields: Fields<Input>,
        _ answer: @escaping @Sendable (Call<Caller, Input>) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, PageSite.holder.pattern + path,
            .page(.holder, notices: notices, fault: "license_page_failed"), .checked, authentication: admission,
            reads: fields
        ) { .done(try await answer($0)) }
    }

    private var admission: Authentication<CatalogSnapshot, Caller> {
        Authentication { request, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }), let vendor = snapshot.catalog.tenants[tenant]
            else { throw Failure.noPage }
            let frame = PageFrame(.holder, of: vendor, notices: notices)
            return Caller(
                visit: Visit(request: request, frame: frame.speaking(to: request, else: vendor.language)),
                snapshot: snapshot)
        }
    }
}

extension PageSite {
    /// Pages for the holder of a license.
    static let holder = PageSite(
        "portal", matter: LicensePageText.matter.spoken(), backToStart: .toLicense)
}
