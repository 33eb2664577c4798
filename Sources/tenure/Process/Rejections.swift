import TenureHTTP
import TenureServerKit

/// The responses to requests that the HTTP server rejects before they reach an endpoint.
enum Rejections {
    @Sendable static func response(status: Int) -> Response {
        switch status {
        case 400: LicenseServer.problem(status: 400, code: "http_malformed", "The request isn't valid HTTP.")
        case 408: LicenseServer.problem(status: 408, code: "request_timeout", "The request took too long to arrive.")
        case 413: LicenseServer.problem(status: 413, code: "body_too_large", "The body is larger than 1 MiB.")
        case 431:
            LicenseServer.problem(status: 431, code: "headers_too_large", "The request headers are larger than 16 KiB.")
        case 503:
            LicenseServer.problem(status: 503, code: "try_again", "The server is busy. Try again in a moment.")
        case 505:
            LicenseServer.problem(
                status: 505, code: "http_version_unsupported",
                "The server speaks HTTP/1.1 and 1.0 only. Put a reverse proxy in front for other versions.")
        default: LicenseServer.problem(status: status, code: "http_rejected", "The request was rejected.")
        }
    }
}
