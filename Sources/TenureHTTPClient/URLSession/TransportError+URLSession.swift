#if canImport(Darwin)
    import Foundation

    extension TransportError {
        /// Turns what `URLSession` threw into a failure.
        init(_ error: any Error, origin: String) {
            guard !(error is CancellationError), let error = error as? URLError else {
                self = error is CancellationError ? .cancelled : .brokenOff(origin, "\(error)")
                return
            }
            let detail = error.localizedDescription
            switch error.code {
            case .cancelled:
                self = .cancelled
            case .timedOut:
                self.init(.timedOut, "\(origin) did not answer in time: \(detail)")
            case .badURL, .unsupportedURL:
                self.init(.badURL, "The address cannot be used: \(detail)")
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                .internationalRoamingOff, .dataNotAllowed, .callIsActive:
                self.init(.couldNotConnect, "No connection to \(origin): \(detail)")
            case .userCancelledAuthentication:
                self.init(.wrongKey, "\(origin) showed another public key than those expected.")
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                self.init(.tls, "No trusted connection to \(origin): \(detail)")
            default:
                self = .brokenOff(origin, detail)
            }
        }

        private static func brokenOff(_ origin: String, _ detail: String) -> TransportError {
            TransportError(.interrupted, "The exchange with \(origin) broke off: \(detail)")
        }
    }
#endif
