import TenureCore
import TenureHTTP
import TenureLicensing
package import TenureServerKit

extension ResponseFormat {
    /// The Tenure dialect's format: problem details (RFC 9457), where each refusal also carries its signed statement.
    package static let leases: ResponseFormat = {
        let words = ProblemWords(
            status: { code in
                switch code {
                case .licenseUnknown: 404
                case .activationLimitReached: 409
                default: 403
                }
            },
            title: { status in
                switch status {
                case 401: "SDK key required"
                case 403, 409: "Refused"
                case 404: "Not found"
                case 429: "Too many requests"
                case 500: "Server error"
                case 503: "Server busy"
                default: "Invalid request"
                }
            }, busy: "The server is busy. Try again in a moment.",
            broken: "The server failed. Its log says why; ask the operator."
        ) { unreadable in
            if case .field(let fault) = unreadable, case .missing(let must) = fault.flaw {
                return (nil, nil, unreadable.words.dropLast() + ": \(must).")
            }
            return (nil, nil, unreadable.words)
        }
        var format = ResponseFormat.problems(by: words)
        format.longestBody = 16 << 10
        format.looksAtLengthFirst = true
        format.headers = ["Cache-Control": "no-store"]
        return format
    }()
}
