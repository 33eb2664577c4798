#if !canImport(Darwin)
    import CCurl
    import Synchronization
    import TenureThreads

    /// Sends mail through one mail server with libcurl (RFC 5321), a connection for each letter.
    package final class SMTPClient: Sendable {
        /// How to reach the mail server.
        package struct Options: Sendable {
            /// `smtp://HOST:PORT` or `smtps://HOST:PORT`.
            package var url: String
            /// The name for `EHLO`.
            package var name: String
            /// Whether a connection must be encrypted before anything is sent.
            package var requiresTLS: Bool
            /// User and password; `nil` for no authentication.
            package var credentials: (user: String, password: String)?
            /// The only certificate authorities to trust, in PEM; `nil` trusts the system's.
            package var authorities: [UInt8]?
            /// How long the mail server may take for a response.
            package var responseTimeout: Duration = .seconds(60)
            /// How long sending a letter may take.
            package var timeout: Duration = .seconds(180)

            package init(url: String, name: String, requiresTLS: Bool) {
                self.url = url
                self.name = name
                self.requiresTLS = requiresTLS
            }
        }

        private let options: Options
        private let pool: WorkerPool<Void>

        /// Creates a client that sends at most four letters at once.
        ///
        /// - Throws: `.noResources` if libcurl or a thread isn't available.
        package init(_ options: Options) throws(TransportError) {
            try CurlLibrary.start()
            self.options = options
            do throws(ThreadError) {
                pool = try WorkerPool(threads: 4, limit: 64) {}
            } catch {
                throw TransportError(.noResources, error.description)
            }
        }

        /// Sends a message, whose lines end with CRLF.
        ///
        /// Cancelling the task ends the exchange.
        ///
        /// - Parameters:
        ///   - sender: The envelope's sender, without angle brackets or control characters.
        ///   - recipient: The envelope's recipient, in the same form.
        package func send(_ message: [UInt8], from sender: String, to recipient: String) async -> SMTPClient.Result {
            let isCancelled = CancelMark()
            let options = options
            return await withTaskCancellationHandler {
                do throws(SMTPRefusal) {
                    return try await pool.run { () throws(SMTPRefusal) in
                        SMTPExchange(message, from: sender, to: recipient, isCancelled).perform(options)
                    } refused: { _ in
                        SMTPRefusal()
                    }
                } catch {
                    return SMTPClient.Result(
                        step: .connecting, fault: .noConnection, text: "too many letters are being sent")
                }
            } onCancel: {
                isCancelled.set()
            }
        }

        /// Returns the ASCII form (A-labels) of an internationalized domain; `nil` if it has none.
        package static func ascii(_ domain: String) -> String? {
            guard let host = unsafe tenure_curl_ascii_host(domain) else { return nil }
            defer { unsafe curl_free(host) }
            let text = unsafe String(cString: host)
            return text.utf8.allSatisfy { $0 < 0x80 } ? text : nil
        }
    }

    /// The error for a letter that isn't sent because the pool's queue is full.
    private struct SMTPRefusal: Error {}

    /// Tells a running exchange that its task was cancelled.
    final class CancelMark: Sendable {
        private let mark = Atomic(false)

        var isSet: Bool { mark.load(ordering: .relaxed) }

        func set() { mark.store(true, ordering: .relaxed) }
    }
#endif
