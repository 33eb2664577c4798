import TenureContent
import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore

/// The learner page.
///
/// The page shows a holder's courses and content items: the state of each item, why it is locked, and what helps. It
/// also shows devices, which the holder may release as far as the policies allow it.
///
/// A vendor creates a one-time link that opens a session. Every action needs the session, is a form with the session's
/// code, and leaves an event with the session's reference.
struct LearnerPages: Sendable {
    let clock: any WallClock
    let notices: [PageFrame.Notice]
    let sessions: LearnerSessions
    let readShelf: ReadLearnerContents
    let devices: ContentDevices
    let acts = AttemptLimit(AttemptCounter(perName: 30, total: 600, window: 900))

    /// Creates the handlers of the page.
    init(_ context: ContentContext, notices: [PageFrame.Notice]) {
        clock = context.clock
        self.notices = notices
        sessions = LearnerSessions(context)
        readShelf = ReadLearnerContents(context)
        devices = ContentDevices(context)
    }

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    /// The fields of the page's forms; `nil` if a form doesn't have the field.
    struct Form: Sendable {
        let code: String?
        let device: String?
    }

    /// The caller of a learner page, with or without a session.
    struct Caller: PageCaller {
        let visit: Visit
    }

    /// The endpoints under `/content/{tenant}/learner`.
    var endpoints: [Endpoint] {
        let form = Fields { fields in
            Form(
                code: try fields.optional("code", .formText), device: try fields.optional("device", .formText))
        }
        let link = Fields { fields in try fields.required("link", .linkInPath, in: .path) }
        var all = [
            page("GET", "", .none) { try await start($0.caller.visit) },
            page("GET", "/link/{link}", link) { call in
                let visit = call.caller.visit
                guard try await sessions.isOpen(call.input, at: visit.tenant) else {
                    return visit.show(.licenseLinkSpent)
                }
                let link = LinkView(text: call.input, shows: LearnerPageText.linkShows.spoken(), isSentToItself: true)
                return visit.show(link.page(in: visit.frame))
            },
            page("POST", "/link/{link}", link) { try await useLink($0.caller.visit, $0.input) },
        ]
        let forms: [(String, @Sendable (Visit, Form) async throws(ServerError) -> Response)] = [
            ("release", release), ("sign-out", close),
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
        var style = ResponseFormat.page(.learner, notices: notices, fault: "learner_page_failed")
        style.readsNoBodyAsEmpty = true
        return Endpoint(
            method, PageSite.learner.pattern + path, style, .checked, authentication: admission, reads: fields
        ) { .done(try await answer($0)) }
    }

    private var admission: Authentication<CatalogSnapshot, Caller> {
        Authentication { request, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }), let vendor = snapshot.catalog.tenants[tenant],
                vendor.contents != nil
            else { throw Failure.noPage }
            let frame = PageFrame(.learner, of: vendor, notices: notices)
            return Caller(
                visit: Visit(
                    request: request, frame: frame.speaking(to: request, else: vendor.language)))
        }
    }
}

extension PageSite {
    /// Pages for a holder of offline content.
    static let learner = PageSite(
        "content", after: "learner", languages: PageLanguage.allCases, matter: LearnerPageText.matter.spoken())
}
