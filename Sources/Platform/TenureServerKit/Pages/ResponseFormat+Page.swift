import TenureCore
import TenureHTTP

extension ResponseFormat {
    /// The format of pages for people: requests are forms, and errors are shown as pages.
    ///
    /// - Parameters:
    ///   - notices: The notices at the top of an error page.
    ///   - fault: The name of the log event for a server error.
    static func page(_ site: PageSite, notices: [PageFrame.Notice], fault: String) -> ResponseFormat {
        var format = ResponseFormat(mediaTypes: .form) { failure, context in
            if case .turnedAway(let away) = failure.kind, away.status < 500 {
                return .noPage(for: context.request, notices: notices)
            }
            guard let tenant = context.path["tenant"].flatMap({ TenantID($0) }) else {
                return .noPage(for: context.request, notices: notices)
            }
            let visit =
                (context.caller as? PageGroup.Visitor)?.visit
                ?? Visit(
                    request: context.request,
                    frame: PageFrame(site, tenant: tenant, marketplace: tenant.text, notices: notices)
                        .speaking(to: context.request))
            return visit.show(failure)
        }
        format.longestBody = 16_384
        format.countsRefusals = false
        format.faultEvent = fault
        format.isBusyOrdinary = true
        return format
    }
}

extension Visit {
    /// Shows a failure as a page.
    ///
    /// A transient server error, and a rejection with a 5xx status, are shown as a busy server. Other server errors
    /// are shown as a failure.
    fileprivate func show(_ failure: Failure) -> Response {
        switch failure.kind {
        case .broken(let error): return show(error.isTransient ? .busy : .failed)
        case .unreadable(let unreadable):
            var response = show(.formRefused)
            response.status = unreadable.status(ofField: 400)
            return response
        case .turnedAway: return show(.busy)
        case .refused: return .noPage(for: request)
        }
    }
}

extension Failure {
    /// The 404 failure for a path without a page.
    package static let noPage = Failure(RejectedRequest(404, code: "not_found", "There is nothing at this address."))
}

extension FieldType where Value == String {
    /// Any text, for a field of a form.
    package static var formText: FieldType { .text("a string", like: "x", schema: .text()) { $0 } }

    /// The secret of a one-time link, from the path.
    package static var linkInPath: FieldType { .text("a link", like: "x", schema: .text()) { $0 } }
}
