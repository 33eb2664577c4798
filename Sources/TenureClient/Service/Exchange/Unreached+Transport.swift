package import TenureHTTPClient

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
