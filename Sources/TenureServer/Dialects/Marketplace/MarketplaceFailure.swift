import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

/// An answer of a marketplace endpoint that is not 200. Devices look at the status alone; the body is for people.
struct MarketplaceFailure: Error {
    let problem: ProblemDetails
    let headers: Headers
    /// What the log is told, beyond the answer.
    let fault: ServerError?

    init(_ status: Int, _ title: String, code: String, detail: String, headers: Headers = [:]) {
        problem = ProblemDetails(status: status, title: title, code: code, detail: detail)
        self.headers = headers
        fault = nil
    }

    /// A promise that the server could not keep: the device's license lives on until its own end.
    init(_ error: ServerError) {
        problem =
            error.isTransient
            ? ProblemDetails(status: 503, title: "Busy", code: "try_again", detail: "Try again in a moment.")
            : ProblemDetails(
                status: 500, title: "The server failed", code: "server_fault", detail: "The operator's log says why.")
        headers = error.isTransient ? ["Retry-After": "1"] : [:]
        fault = error
    }

    var response: Response {
        var all = headers
        all.add("Content-Type", ProblemDetails.mediaType)
        return Response(status: problem.status, headers: all, body: problem.json())
    }
}

extension MarketplaceFailure {
    /// Every envelope that does not open, and every request in one that is not for this endpoint, gets this answer:
    /// it has no member of its own, so that nobody learns how far an envelope came (design §7).
    static let unreadable = MarketplaceFailure(
        400, "The request cannot be read", code: "request_unreadable",
        detail: "The sealed request does not open with this marketplace's keys, or is not meant for this endpoint. "
            + "Fetch /.well-known/marketplace-kit and the encryption certificate again, and send a new request.")

    static let noMarketplace = MarketplaceFailure(
        404, "Not found", code: "marketplace_unknown", detail: "There is no marketplace here.")

    /// The device shows "Verification Required" (`spec/apple.md` §4).
    static let tokenMissing = MarketplaceFailure(
        401, "Unauthorized", code: "token_missing",
        detail: "Send the account's token as Authorization: Bearer TOKEN.", headers: ["WWW-Authenticate": "Bearer"])

    static let tokenInvalid = MarketplaceFailure(
        403, "Forbidden", code: "token_invalid",
        detail: "The token names no account of this marketplace, or has ended.",
        headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])

    static let notReady = MarketplaceFailure(
        503, "Not ready", code: "marketplace_not_ready",
        detail: "The marketplace has no signing assets yet. Apply its catalog again, or import the assets with "
            + "`tenure marketplace import`.", headers: ["Retry-After": "60"])

    static func malformed(_ pointer: String, _ detail: String) -> MarketplaceFailure {
        MarketplaceFailure(400, "The request cannot be read", code: "field_invalid", detail: "\(pointer): \(detail)")
    }
}
