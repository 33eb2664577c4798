import TenureContent
import TenureCore
import TenureHTTP
import TenureServerKit

extension ResponseFormat {
    /// The response format of the content API: problem details (RFC 9457).
    ///
    /// Refusals to devices also contain a signed statement.
    static let contents = ResponseFormat.contents(words: ProblemWords.operators.words)

    /// Returns the response format of the content API, with other texts for requests that can't be read.
    static func contents(
        words unreadable: @escaping @Sendable (InvalidField) -> (code: String?, title: String?, detail: String)
    ) -> ResponseFormat {
        let words = ProblemWords(
            status: { code in
                switch code {
                case .contentLicenseUnknown: 404
                case .selfReleaseOff, .selfReleaseCooldown, .selfReleaseUsedUp: 403
                default: 409
                }
            }, title: ProblemWords.operators.title, tellsCures: true, words: unreadable)
        var format = ResponseFormat.problems(by: words)
        format.longestBody = 256 << 10
        format.headers = ["Cache-Control": "no-store"]
        format.readsNoBodyAsEmpty = true
        format.readsEmptyAsAbsent = false
        return format
    }

    /// The response format of lists.
    ///
    /// Unknown filters are rejected, because a request with a misspelled filter would otherwise list everything.
    static let contentLists: ResponseFormat = {
        var format = ResponseFormat.contents
        format.unknownMembers = .refused
        return format
    }()
}
