package import TenureHTTPClient

/// Why nothing came that may change a state.
package struct Unreached: Sendable, Hashable, Codable {
    package enum Cause: String, Sendable, Hashable, Codable {
        /// No connection, no route, no name.
        case offline
        /// The server's certificate is not trusted.
        case untrusted
        /// Something between here and the server answered: HTML, or JSON of another kind.
        case captive
        /// The server could not answer now: 408, 429, 5xx, a time-out.
        case busy
        /// The server knows no such tenant or product, or wants a key that the app does not send: the app's settings.
        case misconfigured
        /// A signed answer that does not verify, or is for something else.
        case unverified
        /// It was cancelled.
        case cancelled
    }

    /// The kind, which says whether waiting helps.
    package let cause: Cause
    /// For people who look at a log.
    package let message: String
    /// How many seconds the server asks to wait.
    package let retryAfter: Int64?

    package init(_ cause: Cause, _ message: String, retryAfter: Int64? = nil) {
        self.cause = cause
        self.message = message
        self.retryAfter = retryAfter
    }
}

extension Unreached {
    /// Says what a failed transfer means: never anything about a license.
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

/// Why bytes are no lease of this activation.
package enum LeaseProblem: String, Error, Sendable, Hashable {
    /// They are no lease at all.
    case malformed
    /// The key that signed it is not known here.
    case unknownKey
    /// The signature is not the named key's.
    case badSignature
    /// It is another tenant's or product's.
    case otherProduct
    /// It is for another license key.
    case otherLicense
    /// It is for another activation.
    case otherActivation
    /// It is for another device.
    case otherDevice
    /// It answers another request.
    case otherRequest
    /// It is older than others that were accepted.
    case outdated
}

extension Unreached {
    /// Says that what came is not believed.
    package init(_ problem: LeaseProblem) {
        let message =
            switch problem {
            case .malformed: "The answer cannot be read."
            case .unknownKey: "The answer is signed with a key that this app does not know; a newer app may."
            case .badSignature: "The answer's signature is not valid."
            case .otherProduct: "The answer is for another product."
            case .otherLicense: "The answer is for another license key."
            case .otherActivation: "The answer is for another activation."
            case .otherDevice: "The answer is for another device."
            case .otherRequest: "The answer is for another request."
            case .outdated: "The answer is older than one that came before it."
            }
        self.init(.unverified, message)
    }
}

extension Unreached: Error {}
