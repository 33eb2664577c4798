import TenureCore
import TenureFormats
import TenureHTTP

/// An answer of the operator API that is no: a problem (RFC 9457) with `code` and `reasons`.
struct AdminFailure: Error {
    let problem: ProblemDetails
    let headers: Headers
    /// What the log is told, beyond the answer.
    let fault: ServerError?

    init(_ status: Int, _ title: String, code: String, detail: String? = nil, headers: Headers = [:]) {
        problem = ProblemDetails(status: status, title: title, code: code, detail: detail)
        self.headers = headers
        fault = nil
    }

    /// The law refuses: 404 for what does not exist, 409 for what cannot be in this state.
    init(_ refusal: Refusal) {
        let isUnknown = refusal.first.code == .licenseUnknown
        problem = ProblemDetails(
            status: isUnknown ? 404 : 409, title: isUnknown ? "Not found" : "Refused", refusal: refusal)
        headers = [:]
        fault = nil
    }

    init(_ error: ServerError) {
        if error.isConflict {
            self.init(409, "Refused", code: error.code.text, detail: error.message)
            return
        }
        self.init(
            error.isTransient ? Self.busy : Self.broken, headers: error.isTransient ? ["Retry-After": "1"] : [:],
            fault: error)
    }

    private static let busy = ProblemDetails(
        status: 503, title: "Busy", code: "try_again", detail: "Try again in a moment.")

    private static let broken = ProblemDetails(
        status: 500, title: "The server failed", code: "server_fault", detail: "The operator's log says why.")

    private init(_ problem: ProblemDetails, headers: Headers, fault: ServerError?) {
        self.problem = problem
        self.headers = headers
        self.fault = fault
    }

    static func unprocessable(_ pointer: String, _ detail: String) -> AdminFailure {
        AdminFailure(422, "The request cannot be read", code: "field_invalid", detail: "\(pointer): \(detail)")
    }

    static let notFound = AdminFailure(
        404, "Not found", code: "not_found", detail: "There is nothing of that name here.")

    var response: Response {
        var all = headers
        all.add("Content-Type", ProblemDetails.mediaType)
        return Response(status: problem.status, headers: all, body: problem.json())
    }
}
