package import TenureHTTPClient

/// Why a request got no response that may change the license's state.
package struct RequestFailure: Sendable, Hashable, Codable {
    package enum Cause: String, Sendable, Hashable, Codable {
        /// No connection, no route, or the host name wasn't found.
        case offline = "offline"
        /// The server's certificate isn't trusted.
        case untrusted = "untrusted"
        /// A proxy or captive portal responded, with HTML or an unexpected JSON object.
        case captive = "captive"
        /// The server couldn't respond now: 408, 429, 5xx or a timeout.
        case busy = "busy"
        /// The app's settings are wrong: an unknown tenant or product, or a missing SDK key.
        case misconfigured = "misconfigured"
        /// The response can't be read or verified, or belongs to another request.
        case unverified = "unverified"
        /// The request was cancelled.
        case cancelled = "cancelled"
    }

    /// The kind of failure, which says whether waiting helps.
    package let cause: Cause
    /// What went wrong, for logs.
    package let message: String
    /// How many seconds the response asks to wait; `nil` if it doesn't say.
    package let retryAfter: Int64?
    /// The code of the license server's own response; `nil` if there was no response, or one without a code.
    package let code: String?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case cause = "cause"
        case message = "message"
        case retryAfter = "retryAfter"
        case code = "code"
    }

    package init(_ cause: Cause, _ message: String, retryAfter: Int64? = nil, code: String? = nil) {
        self.cause = cause
        self.message = message
        self.retryAfter = retryAfter
        self.code = code
    }

    /// Whether the license server itself responded, which a `code` in a JSON object shows.
    ///
    /// Otherwise there was no response, or one from something in between, such as a proxy.
    package var isFromServer: Bool { code != nil }
}

extension RequestFailure {
    /// Maps a failed transfer to its cause.
    package init(_ error: TransportError) {
        let cause: Cause =
            switch error.code {
            case .couldNotConnect, .interrupted: .offline
            case .tls, .wrongKey: .untrusted
            case .tooLarge: .captive
            case .badURL: .misconfigured
            case .cancelled: .cancelled
            default: .busy
            }
        self.init(cause, error.message)
    }
}

/// Why a lease or another signed statement was rejected.
package enum LeaseProblem: String, Error, Sendable, Hashable {
    /// The statement can't be parsed.
    case malformed
    /// The app doesn't have the key that signed the statement.
    case unknownKey
    /// The statement's signature doesn't match its contents.
    case badSignature
    /// The statement is for another tenant or product.
    case otherProduct
    /// The statement is for another license key.
    case otherLicense
    /// The statement is for another activation.
    case otherActivation
    /// The statement is for another device.
    case otherDevice
    /// The statement answers another request.
    case otherRequest
    /// The statement is older than one that was accepted before.
    case outdated
}

extension RequestFailure {
    /// Creates a failure for a statement that was rejected.
    package init(_ problem: LeaseProblem) {
        let message =
            switch problem {
            case .malformed: "The response can't be read."
            case .unknownKey:
                "The response is signed with a key that this version of the app doesn't know. Update the app."
            case .badSignature: "The response's signature isn't valid."
            case .otherProduct: "The response is for another product."
            case .otherLicense: "The response is for another license key."
            case .otherActivation: "The response is for another activation."
            case .otherDevice: "The response is for another device."
            case .otherRequest: "The response is for another request."
            case .outdated: "The response is older than a previous one."
            }
        self.init(.unverified, message)
    }
}

extension RequestFailure: Error {}
