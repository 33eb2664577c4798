import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
package import TenureServerKit

extension ResponseFormat {
    /// Keylight's format: `{"error": text}`, extended by our `code` and `reasons`.
    package static let keylight: ResponseFormat = {
        var format = ResponseFormat { failure, _ in failure.keylightAnswer }
        format.echoes = [KeylightDialect.requestIDHeader]
        format.longestBody = 16 << 10
        format.looksAtLengthFirst = true
        // Apps that run in a browser may call from any page: the request itself authenticates them, never a cookie.
        format.headers = ["Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After"]
        format.options = { methods in
            Response(
                status: 204,
                headers: [
                    "Access-Control-Allow-Methods": methods.joined(separator: ", "),
                    "Access-Control-Allow-Headers": [
                        "Content-Type", KeylightDialect.requestIDHeader, KeylightDialect.sdkKeyHeader,
                    ].joined(separator: ", "),
                    "Access-Control-Max-Age": "3600",
                ])
        }
        return format
    }()
}

extension Failure {
    fileprivate var keylightAnswer: Response {
        let (status, text) = keylightWords
        var response = Response.json(
            status: self.status ?? status,
            JSONWriter.object { body in
                leading?(&body)
                body.member("error", text)
                body.reasons(reasons, code: code)
                trailing?(&body)
            })
        for field in headers.fields { response.headers.add(field.name, field.value) }
        return response
    }

    /// The status and text of a failure.
    ///
    /// Keylight's apps read a 422 from `validate` as a revocation, so a malformed request never gets that status.
    private var keylightWords: (status: Int, text: String) {
        switch kind {
        case .refused(let refusal):
            switch refusal.first.code {
            // The text that Keylight's server sends, word for word.
            case .licenseRevoked: (404, "License has been revoked")
            case .licenseReturned, .licenseUnknown: (404, refusal.first.message)
            case .activationLimitReached: (402, refusal.first.message)
            default: (422, refusal.first.message)
            }
        case .unreadable(let unreadable): (unreadable.status(ofField: 400), unreadable.words)
        case .turnedAway(let away): (away.status, away.sentence)
        case .broken(let error):
            error.isTransient
                ? (503, "The server is busy. Try again in a moment.")
                : (500, "The server failed. Its log says why; ask the operator.")
        }
    }
}
