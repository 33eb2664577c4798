import TenureCore
import TenureHTTP

/// A caller whose ``Visit`` is known, so that errors can be shown as its pages.
package protocol PageCaller: Sendable {
    var visit: Visit { get }
}

extension ResponseFormat {
    /// The format of pages for people: it reads forms, and shows errors as pages.
    /// - Parameters:
    ///   - notices: What people must know about the server.
    ///   - fault: The log event for a failure.
    package static func page(_ site: PageSite, notices: [PageFrame.Notice], fault: String) -> ResponseFormat {
        var style = ResponseFormat(mediaTypes: .form) { failure, context in
            if case .turnedAway(let away) = failure.kind, away.status < 500 { return .noPage }
            guard let tenant = context.path["tenant"].flatMap({ TenantID($0) }) else { return .noPage }
            let visit =
                (context.caller as? any PageCaller)?.visit
                ?? Visit(
                    request: context.request,
                    frame: PageFrame(site, tenant: tenant, marketplace: tenant.text, notices: notices)
                        .speaking(to: context.request))
            return visit.show(failure)
        }
        style.longestBody = 16_384
        style.countsRefusals = false
        style.faultEvent = fault
        style.isBusyOrdinary = true
        return style
    }
}

extension Visit {
    /// Shows a failure as a page.
    ///
    /// There is one page for an invalid form, and two for a server that doesn't respond: it is failing, or it's busy
    /// for now.
    fileprivate func show(_ failure: Failure) -> Response {
        switch failure.kind {
        case .broken(let error): return show(error.isTransient ? .busy : .failed)
        case .unreadable(let unreadable):
            var response = show(.formRefused)
            response.status = unreadable.status(ofField: 400)
            return response
        case .turnedAway: return show(.busy)
        case .refused: return .noPage
        }
    }
}

extension Failure {
    /// There is no page here.
    package static let noPage = Failure(RejectedRequest(404, code: "not_found", "There is nothing at this address."))
}

extension FieldType where Value == String {
    /// The text of a form field.
    package static var formText: FieldType { .text("a string", like: "x", schema: .text()) { $0 } }

    /// The secret of a one-time link, in its path.
    package static var linkInPath: FieldType { .text("a link", like: "x", schema: .text()) { $0 } }
}
