import TenureCore
import TenureFormats
import TenureHTTP
package import TenureServerKit

extension ResponseFormat {
    /// The response format for OAuth clients: `error` and `error_description` (RFC 6749 §5.2), never cached.
    package static let oauth: ResponseFormat = {
        var format = ResponseFormat(mediaTypes: .form) { failure, _ in failure.oauth }
        format.headers = ["Cache-Control": "no-store", "Pragma": "no-cache"]
        format.longestBody = 16_384
        format.code = { failure in
            if case .unreadable = failure.kind { "invalid_request" } else { failure.code }
        }
        format.isBusyOrdinary = true
        return format
    }()
}

extension Failure {
    /// Creates a failure with an error code of RFC 6749.
    static func oauth(_ error: String, _ sentence: String) -> Failure {
        Failure(RejectedRequest(400, code: error, sentence))
    }

    /// The response to every invalid code or token; it's always the same, so that a caller can't learn the reason.
    static let invalidGrant = Failure.oauth(
        "invalid_grant",
        "The code or token is invalid, or was issued to another client_id or redirect_uri. Let the person sign in "
            + "again."
    )

    /// The failure as an error response.
    ///
    /// RFC 6749 allows only printable ASCII characters without quotes and backslashes in the texts.
    fileprivate var oauth: Response {
        let (status, error, sentence): (Int, String, String) =
            switch kind {
            case .turnedAway(let away): (away.status, away.code, away.sentence)
            case .unreadable(let unreadable):
                (
                    unreadable.status(ofField: 400) == 413 ? 413 : 400, "invalid_request",
                    "The body must be a form. Send application/x-www-form-urlencoded, with each parameter once."
                )
            case .refused(let refusal): (400, refusal.first.code.text, "The request was refused.")
            case .broken(let fault):
                fault.isTransient
                    ? (503, "temporarily_unavailable", "Try again in a moment.")
                    : (500, "server_error", "The server failed. Its log says why; ask the operator.")
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
