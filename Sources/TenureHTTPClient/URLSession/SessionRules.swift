#if canImport(Darwin)
    import CryptoKit
    import Foundation
    import Security

    /// Follows no redirect, and asks for a pinned key where keys are pinned.
    final class SessionRules: NSObject, URLSessionTaskDelegate {
        private let pins: Set<String>

        init(pins: Set<String>) { self.pins = pins }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? {
            nil
        }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            guard !pins.isEmpty,
                challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
            else { return (.performDefaultHandling, nil) }
            guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil),
                let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first,
                let key = SecCertificateCopyKey(leaf), let pin = SubjectPublicKey.pin(of: key), pins.contains(pin)
            else { return (.cancelAuthenticationChallenge, nil) }
            return (.useCredential, URLCredential(trust: trust))
        }
    }
#endif
