import TenureCore
import TenureFormats
import TenureHTTP
package import TenureServerKit

extension Style {
    /// What an OAuth client is answered in: `error` and `error_description` (RFC 6749 §5.2), never to be kept.
    package static let oauth: Style = {
        var style = Style(mediaTypes: .form) { failure, _ in failure.oauth }
        style.headers = ["Cache-Control": "no-store", "Pragma": "no-cache"]
        style.longestBody = 16_384
        style.code = { failure in
            if case .unreadable = failure.kind { "invalid_request" } else { failure.code }
        }
        style.isBusyOrdinary = true
        return style
    }()
}

extension Failure {
    /// A no of RFC 6749.
    static func oauth(_ error: String, _ sentence: String) -> Failure {
        Failure(TurnedAway(400, code: error, sentence))
    }

    /// Every code and token that does not work gets this answer, whyever it does not.
    static let invalidGrant = Failure.oauth(
        "invalid_grant",
        "The code or the token does not work here, or not for this client and redirect_uri. Let the person sign in again."
    )

    /// Words of visible ASCII without quotes and backslashes, as RFC 6749 has it.
    fileprivate var oauth: Response {
        let (status, error, sentence): (Int, String, String) =
            switch kind {
            case .turnedAway(let away): (away.status, away.code, away.sentence)
            case .unreadable(let unreadable):
                (
                    unreadable.status(ofField: 400) == 413 ? 413 : 400, "invalid_request",
                    "Send a form, application/x-www-form-urlencoded, with each parameter once."
                )
            case .refused(let refusal): (400, refusal.first.code.text, "The request was refused.")
            case .broken(let fault):
                fault.isTransient
                    ? (503, "temporarily_unavailable", "Try again in a moment.")
                    : (500, "server_error", "The operator's log says why.")
            }
        var headers = headers
        headers.add("Content-Type", "application/json")
        let body = JSONWriter.object { object in
            object.member("error", error)
            object.member("error_description", sentence)
        }
        return Response(status: status, headers: headers, body: body)
    }
}
