#if !canImport(Darwin)
    import CCurl
    import TenureHTTP
    import TenureThreads

    /// Sends requests with libcurl's multi interface, all on one dedicated thread.
    ///
    /// The thread ends with the transport, and sleeps without a timer while no transfer is running.
    final class CurlTransport: HTTPStreaming {
        private let loop: CurlLoop
        private let options: TransportOptions

        init(_ options: TransportOptions) throws(TransportError) {
            try CurlLibrary.start()
            let loop = CurlLoop(multi: try CurlMulti(connections: options.connectionLimit))
            do throws(ThreadError) {
                try startThread { loop.run() }
            } catch {
                throw TransportError(.noResources, error.description)
            }
            self.loop = loop
            self.options = options
        }

        deinit { loop.put(.stop) }

        func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
            try await carry(CurlCall(request: request, options: options))
        }

        func stream(
            _ request: OutgoingRequest, limit: Int, timeout: Duration, into sink: HTTPSink
        ) async throws(TransportError) -> Response {
            var options = options
            (options.responseLimit, options.timeout) = (limit, timeout)
            return try await carry(CurlCall(request: request, options: options, sink: sink))
        }

        private func carry(_ call: CurlCall) async throws(TransportError) -> Response {
            try call.request.check()
            let ticket = CurlTicket()
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    loop.put(.start(ticket, call, continuation))
                }
            } onCancel: {
                ticket.cancel()
                loop.put(.cancel(ticket))
            }
            return try outcome.get()
        }
    }

    extension TransportError {
        /// Creates the error for a libcurl result code.
        init(_ code: CURLcode, origin: String, detail: String) {
            let message = unsafe detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
            let kind: Code
            let sentence: String
            switch code {
            // CURLE_UNSUPPORTED_PROTOCOL isn't here: the request's check has accepted the URL, so that code means that
            // the response isn't HTTP.
            case CURLE_URL_MALFORMAT:
                (kind, sentence) = (.badURL, "The address cannot be used")
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY:
                (kind, sentence) = (.couldNotConnect, "No connection to \(origin)")
            case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
                (kind, sentence) = (.wrongKey, "\(origin) showed another public key than those expected")
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
                (kind, sentence) = (.tls, "No trusted connection to \(origin)")
            case CURLE_OPERATION_TIMEDOUT:
                (kind, sentence) = (.timedOut, "\(origin) did not answer in time")
            case CURLE_FILESIZE_EXCEEDED:
                (kind, sentence) = (.tooLarge, "The answer of \(origin) is longer than what is accepted")
            case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION,
                CURLE_BAD_FUNCTION_ARGUMENT:
                (kind, sentence) = (.noResources, "libcurl cannot do what was asked")
            default:
                (kind, sentence) = (.interrupted, "The exchange with \(origin) broke off")
            }
            self.init(kind, "\(sentence): \(message).")
        }
    }
#endif
