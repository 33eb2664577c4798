public import TenureCore

/// An answer that is no, for programs and people (RFC 9457), with Tenure's `code` and `reasons` beside its members.
///
/// `type` is always `about:blank`: `code` is what programs branch on, and needs no page of its own to be stable.
public struct ProblemDetails: Sendable, Hashable {
    /// The media type to send it as.
    public static let mediaType = "application/problem+json"

    /// The HTTP status that goes with it.
    public let status: Int

    /// The status in a few words, the same for every answer of that status.
    public let title: String

    /// What happened this time, in a sentence. Never a key or a secret.
    public let detail: String

    /// Which problem it is; programs branch on this and on nothing else.
    public let code: String

    /// Why not, most specific first. Of a request that did not get as far as the law the operator API alone tells it.
    public let reasons: [Reason]

    /// Describes a request that did not get as far as a decision.
    /// - Parameter kind: What is declared of the code: with it the answer has a reason, and so a cure.
    public init(status: Int, title: String, code: String, detail: String, kind: Reason.Kind? = nil) {
        self.init(
            status: status, title: title, code: code, detail: detail,
            reasons: kind.map { [Reason($0, message: detail)] } ?? [])
    }

    /// Describes a refusal: its first reason gives the code and the detail.
    public init(status: Int, title: String, refusal: Refusal) {
        self.init(
            status: status, title: title, code: refusal.first.code.text, detail: refusal.first.message,
            reasons: refusal.reasons)
    }

    /// The problem as a JSON object.
    public func json() -> [UInt8] {
        JSONWriter.object { write(into: &$0) }
    }

    /// Writes its members into an object, to stand before others.
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
