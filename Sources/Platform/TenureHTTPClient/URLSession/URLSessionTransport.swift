#if canImport(Darwin)
    import CryptoKit
    import TenureFoundation
    import TenureHTTP
    import Security

    /// Sends requests with a `URLSession` that keeps no cookies, cache or credentials.
    final class URLSessionTransport: HTTPTransport {
        private let session: URLSession
        private let limit: Int

        init(_ options: TransportOptions) throws(TransportError) {
            guard options.unixSocket == nil, options.authorities == nil else {
                throw TransportError(
                    .noResources, "A unix socket or authorities of one's own cannot be used on this system.")
            }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.timeoutIntervalForRequest = options.timeout / .seconds(1)
            configuration.timeoutIntervalForResource = options.timeout / .seconds(1)
            configuration.httpMaximumConnectionsPerHost = options.connectionLimit
            if let agent = options.userAgent { configuration.httpAdditionalHeaders = ["User-Agent": agent] }
            switch options.proxy {
            case .system: break
            case .none: configuration.connectionProxyDictionary = [:]
            case .url(let text):
                guard let url = URL(string: text), let host = url.host else {
                    throw TransportError(.badURL, "The proxy is no URL such as http://127.0.0.1:3128.")
                }
                configuration.connectionProxyDictionary = [
                    "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": url.port ?? 3128,
                    "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": url.port ?? 3128,
                ]
            }
            session = URLSession(
                configuration: configuration, delegate: SessionRules(pins: Set(options.pinnedKeys)), delegateQueue: nil)
            limit = options.responseLimit
        }

        deinit { session.finishTasksAndInvalidate() }

        func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
            try request.check()
            guard let url = URL(string: request.url) else {
                throw TransportError(.badURL, "The address cannot be used.")
            }
            var sent = URLRequest(url: url)
            sent.httpMethod = request.method
            sent.httpBody = request.body.map { Data($0) }
            for field in request.headers.fields { sent.addValue(field.value, forHTTPHeaderField: field.name) }
            do {
                let (bytes, head) = try await session.bytes(for: sent)
                return try await read(bytes, head, origin: request.origin)
            } catch let error as TransportError {
                throw error
            } catch {
                throw TransportError(error, origin: request.origin)
            }
        }

        private func read(
            _ bytes: URLSession.AsyncBytes, _ head: URLResponse, origin: String
        ) async throws -> Response {
            guard let head = head as? HTTPURLResponse else {
                throw TransportError(.interrupted, "The exchange with \(origin) was not HTTP.")
            }
            let tooLarge = TransportError(.tooLarge, "The answer of \(origin) is longer than what is accepted.")
            guard head.expectedContentLength <= Int64(limit) else { throw tooLarge }
            var body: [UInt8] = []
            for try await byte in bytes {
                guard body.count < limit else { throw tooLarge }
                body.append(byte)
            }
            var headers = Headers()
            for (name, value) in head.allHeaderFields {
                if let name = name as? String, let value = value as? String { headers.add(name, value) }
            }
            return Response(status: head.statusCode, headers: headers, body: body)
        }
    }

    /// Follows no redirects, and requires a pinned key if keys are pinned.
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

    extension TransportError {
        /// Converts an error of `URLSession`.
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
