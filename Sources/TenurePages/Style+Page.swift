import TenureCore
import TenureHTTP
package import TenureServerKit

/// Where a person is let in: what a page that says no is put into.
package protocol PagePlace: Sendable {
    var visit: Visit { get }
}

extension Style {
    /// Pages for people: forms are read, and a no is a page too.
    /// - Parameters:
    ///   - notices: What people must know of the server itself.
    ///   - fault: What a failure is called in the log.
    package static func page(_ site: PageSite, notices: [PageFrame.Notice], fault: String) -> Style {
        var style = Style(mediaTypes: .form) { failure, scene in
            if case .turnedAway(let away) = failure.kind, away.status < 500 { return .noPage }
            guard let tenant = scene.path["tenant"].flatMap({ TenantID($0) }) else { return .noPage }
            let visit =
                (scene.place as? any PagePlace)?.visit
                ?? Visit(
                    request: scene.request, marketplace: nil,
                    frame: PageFrame(site, tenant: tenant, marketplace: tenant.text, notices: notices)
                        .speaking(to: scene.request))
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
    /// What people are shown of a no: one page for a form that is none, two for a server that does not answer, because it
    /// fails or because it may not just now.
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
    package static let noPage = Failure(TurnedAway(404, code: "not_found", "There is nothing here."))
}

extension Shape where Value == String {
    /// What stands in a field of a form.
    package static var formText: Shape { .text("a text", like: "x", schema: .text()) { $0 } }

    /// A one-time link's secret, in its path.
    package static var linkInPath: Shape { .text("a link", like: "x", schema: .text()) { $0 } }
}
