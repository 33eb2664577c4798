public import TenureCore

/// An error response for programs and people (RFC 9457), extended by Tenure's `code` and `reasons`.
///
/// `type` is always `about:blank`. Programs branch on `code`, which is stable.
public struct ProblemDetails: Sendable, Hashable {
    /// The media type of the response.
    public static let mediaType = "application/problem+json"

    /// The HTTP status of the response.
    public let status: Int

    /// The status in a few words, the same for every response with that status.
    public let title: String

    /// The cause of this response, in one sentence; never contains a key or a secret.
    public let detail: String

    /// The problem's code; programs branch only on it.
    public let code: String

    /// The reasons, most specific first.
    ///
    /// For a request that failed before any license decision, only the operator API includes them.
    public let reasons: [Reason]

    /// Creates the description of a request that failed before any license decision.
    /// - Parameter kind: The declaration of the code; if given, the response includes a reason and its remedy.
    public init(status: Int, title: String, code: String, detail: String, kind: Reason.Kind? = nil) {
        self.init(
            status: status, title: title, code: code, detail: detail,
            reasons: kind.map { [Reason($0, message: detail)] } ?? [])
    }

    /// Creates the description of a refusal; its first reason provides the code and the detail.
    public init(status: Int, title: String, refusal: Refusal) {
        self.init(
            status: status, title: title, code: refusal.first.code.text, detail: refusal.first.message,
            reasons: refusal.reasons)
    }

    /// The response's body: a JSON object with ``code``, ``reasons`` and the members of RFC 9457.
    public func json() -> [UInt8] {
        JSONWriter.object { write(into: &$0) }
    }

    /// Writes the problem's members into an object, before any others.
    public func write(into object: inout JSONObjectWriter) {
        object.member("type", "about:blank")
        object.member("title", title)
        object.member("status", status)
        object.member("detail", detail)
        object.reasons(reasons, code: code)
    }

    private init(status: Int, title: String, code: String, detail: String, reasons: [Reason]) {
        self.status = status
        self.title = title
        self.code = code
        self.detail = detail
        self.reasons = reasons
    }
}
