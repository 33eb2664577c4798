import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

/// An answer of the Tenure dialect that is no: a problem (RFC 9457); when the law says it, with the statements that
/// say it.
struct TenureFailure: Error {
    let problem: ProblemDetails
    /// The signed no, and the signed lease that may come with it.
    let refusal: [UInt8]?
    let lease: [UInt8]?
    let headers: Headers
    /// What the log is told, beyond the answer.
    let fault: ServerError?

    /// A request that did not get as far as the law.
    init(_ status: Int, code: String, _ text: String, headers: Headers = [:]) {
        self.init(
            ProblemDetails(status: status, title: Self.title(status), code: code, detail: text), headers: headers)
    }

    /// The law's no.
    init(_ refusal: Refusal, signed: [UInt8], lease: [UInt8]? = nil) {
        let status = Self.status(of: refusal)
        self.init(
            ProblemDetails(status: status, title: Self.title(status), refusal: refusal), refusal: signed, lease: lease)
    }

    /// A promise that the server could not keep: never a reason for a client to change its state.
    init(_ error: ServerError) {
        let problem =
            error.isTransient
            ? ProblemDetails(
                status: 503, title: Self.title(503), code: "try_again",
                detail: "The server is busy. Try again in a moment.")
            : ProblemDetails(
                status: 500, title: Self.title(500), code: "server_fault",
                detail: "The server failed. The operator's log says why.")
        self.init(problem, headers: error.isTransient ? ["Retry-After": "1"] : [:], fault: error)
    }

    private init(
        _ problem: ProblemDetails, refusal: [UInt8]? = nil, lease: [UInt8]? = nil, headers: Headers = [:],
        fault: ServerError? = nil
    ) {
        self.problem = problem
        self.refusal = refusal
        self.lease = lease
        self.headers = headers
        self.fault = fault
    }

    func response() -> Response {
        var all = headers
        all.add("Content-Type", ProblemDetails.mediaType)
        let body = JSONWriter.object { object in
            problem.write(into: &object)
            if let refusal { object.member("refusal", String(decoding: refusal, as: UTF8.self)) }
            if let lease { object.member("lease", String(decoding: lease, as: UTF8.self)) }
        }
        return Response(status: problem.status, headers: all, body: body)
    }

    private static func status(of refusal: Refusal) -> Int {
        switch refusal.first.code {
        case .licenseUnknown: 404
        case .activationLimitReached: 409
        default: 403
        }
    }

    private static func title(_ status: Int) -> String {
        switch status {
        case 401: "An SDK key is needed"
        case 403, 409: "Refused"
        case 404: "Not found"
        case 429: "Too many"
        case 500: "The server failed"
        case 503: "Busy"
        default: "The request cannot be read"
        }
    }
}
