import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

/// An answer of Keylight's API that is not 200: `{"error": text}` in Keylight's words, with our `code` and `reasons`.
struct KeylightFailure: Error {
    /// What kind of failure it is; each has its status.
    enum Kind: Int {
        case malformed = 400
        case sdkKey = 401
        case seatsTaken = 402
        case unknownPlace = 404
        case tooLarge = 413
        case contentType = 415
        case refused = 422
        case broken = 500
        case unavailable = 503
    }

    let kind: Kind
    let code: String
    let text: String
    let reasons: [Reason]
    /// Members that stand before `error`, such as `activated`.
    let leading: [(name: String, value: Bool)]
    /// The signed no, when there is one.
    let lease: KeylightLease?
    /// What the log is told, beyond the answer.
    let fault: ServerError?

    init(_ kind: Kind, code: String, _ text: String) {
        self.init(kind: kind, code: code, text: text, reasons: [])
    }

    /// A refusal of the law.
    init(
        _ kind: Kind, _ refusal: Refusal, leading: [(name: String, value: Bool)] = [], lease: KeylightLease? = nil
    ) {
        self.init(
            kind: kind, code: refusal.first.code.text, text: refusal.first.message, reasons: refusal.reasons,
            leading: leading, lease: lease)
    }

    /// A promise that the server could not keep: never a reason for a client to change its state.
    init(_ error: ServerError) {
        self.init(
            kind: error.isTransient ? .unavailable : .broken, code: error.isTransient ? "try_again" : "server_fault",
            text: error.isTransient
                ? "The server is busy. Try again in a moment." : "The server failed. The operator's log says why.",
            reasons: [], fault: error)
    }

    private init(
        kind: Kind, code: String, text: String, reasons: [Reason], leading: [(name: String, value: Bool)] = [],
        lease: KeylightLease? = nil, fault: ServerError? = nil
    ) {
        self.kind = kind
        self.code = code
        self.text = text
        self.reasons = reasons
        self.leading = leading
        self.lease = lease
        self.fault = fault
    }

    func response() -> Response {
        var response = Response.json(
            status: kind.rawValue,
            JSONWriter.object { body in
                for member in leading { body.member(member.name, member.value) }
                body.member("error", text)
                body.reasons(reasons, code: code)
                if let lease { body.object("lease", lease.write) }
            })
        if kind == .unavailable { response.headers.add("Retry-After", "1") }
        return response
    }
}
