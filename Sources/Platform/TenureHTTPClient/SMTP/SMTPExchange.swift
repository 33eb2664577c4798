#if !canImport(Darwin)
    import CCurl

    /// The transfer of one message; used on one thread of the pool.
    final class SMTPExchange {
        private let message: [UInt8]
        private let sender: String
        private let recipient: String
        private let isCancelled: CancelMark
        private var offset = 0
        private var step = SMTPClient.Result.Step.connecting
        /// The lines of the response to the last command.
        private var response: [UInt8] = []
        /// Whether the client has sent `QUIT`, after which responses no longer matter.
        private var isEnding = false

        init(_ message: [UInt8], from sender: String, to recipient: String, _ isCancelled: CancelMark) {
            self.message = message
            self.sender = sender
            self.recipient = recipient
            self.isCancelled = isCancelled
        }

        /// Sends the message, and blocks until the mail server has responded.
        func perform(_ options: SMTPClient.Options) -> SMTPClient.Result {
            guard let easy = unsafe curl_easy_init() else {
                return SMTPClient.Result(step: .connecting, fault: .noConnection, text: CurlLibrary.unusable.message)
            }
            let recipients = unsafe curl_slist_append(nil, "<\(recipient)>")
            let detail = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
            unsafe detail.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
            defer {
                unsafe curl_easy_cleanup(easy)
                unsafe curl_slist_free_all(recipients)
                unsafe detail.deallocate()
            }
            unsafe tenure_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, detail)
            unsafe tenure_curl_set_list(easy, CURLOPT_MAIL_RCPT, recipients)
            guard unsafe set(options, on: easy) else {
                return SMTPClient.Result(
                    step: .connecting, fault: .misconfigured, text: "libcurl doesn't accept the mail server's settings")
            }
            let code = withExtendedLifetime(self) { unsafe curl_easy_perform(easy) }
            let text = unsafe String(cString: detail)
            return result(of: code, text.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : text)
        }

        /// Sets all options; returns whether libcurl accepts them.
        private func set(_ options: SMTPClient.Options, on easy: UnsafeMutableRawPointer) -> Bool {
            var results = unsafe [
                tenure_curl_only_mail(easy),
                tenure_curl_set_text(easy, CURLOPT_URL, "\(options.url)/\(options.name)"),
                tenure_curl_set_text(easy, CURLOPT_PROXY, ""),
                tenure_curl_set_text(easy, CURLOPT_MAIL_FROM, "<\(sender)>"),
                tenure_curl_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(message.count)),
            ]
            let usage = options.requiresTLS ? CURLUSESSL_ALL : CURLUSESSL_NONE
            let numbers: [(CURLoption, Int)] = [
                (CURLOPT_NOSIGNAL, 1), (CURLOPT_UPLOAD, 1), (CURLOPT_USE_SSL, Int(usage.rawValue)),
                (CURLOPT_VERBOSE, 1), (CURLOPT_NOPROGRESS, 0),
                (CURLOPT_CONNECTTIMEOUT, Int(options.responseTimeout.components.seconds)),
                (CURLOPT_SERVER_RESPONSE_TIMEOUT, Int(options.responseTimeout.components.seconds)),
                (CURLOPT_TIMEOUT, Int(options.timeout.components.seconds)),
            ]
            for (option, value) in numbers { results.append(unsafe tenure_curl_set_number(easy, option, value)) }
            if let (user, password) = options.credentials {
                results.append(unsafe tenure_curl_set_text(easy, CURLOPT_USERNAME, user))
                results.append(unsafe tenure_curl_set_text(easy, CURLOPT_PASSWORD, password))
            }
            if let authorities = options.authorities {
                results.append(unsafe tenure_curl_set_blob(easy, CURLOPT_CAINFO_BLOB, authorities, authorities.count))
            }
            unsafe setCallbacks(on: easy)
            return results.allSatisfy { $0 == CURLE_OK }
        }

        private func setCallbacks(on easy: UnsafeMutableRawPointer) {
            let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
            for option in [CURLOPT_READDATA, CURLOPT_DEBUGDATA, CURLOPT_XFERINFODATA] {
                unsafe tenure_curl_set_pointer(easy, option, pointer)
            }
            unsafe tenure_curl_set_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, pointer in
                guard let bytes = unsafe bytes, let exchange = unsafe SMTPExchange.of(pointer) else { return 0 }
                return unsafe exchange.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
            }
            unsafe tenure_curl_set_debug(easy) { _, kind, bytes, count, pointer in
                unsafe SMTPExchange.of(pointer)?.note(kind, UnsafeRawBufferPointer(start: bytes, count: count))
                return 0
            }
            unsafe tenure_curl_set_progress(easy) { pointer, _, _, _, _ in
                unsafe SMTPExchange.of(pointer)?.isCancelled.isSet == true ? 1 : 0
            }
        }

        private static func of(_ pointer: UnsafeMutableRawPointer?) -> SMTPExchange? {
            unsafe pointer.map { unsafe Unmanaged<SMTPExchange>.fromOpaque($0).takeUnretainedValue() }
        }

        private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let end = min(offset + buffer.count, message.count)
            unsafe buffer.copyBytes(from: message[offset..<end])
            defer { offset = end }
            return end - offset
        }

        /// Records the step of each command, and the responses. Only a command's verb is read, because a password may
        /// follow `AUTH`.
        private func note(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
            switch kind {
            case CURLINFO_HEADER_OUT:
                if let next = unsafe Self.step(of: bytes, after: step) { step = next } else { isEnding = true }
                if !isEnding { response = [] }
            case CURLINFO_HEADER_IN where !isEnding && response.count < 2048:
                unsafe response.append(contentsOf: bytes)
                if step == .connecting { step = .greeting }
            case CURLINFO_DATA_OUT: if !isEnding { response = [] }
            default: break
            }
        }

        /// The step that a command belongs to; `nil` for `QUIT`.
        private static func step(of command: UnsafeRawBufferPointer, after step: SMTPClient.Result.Step) -> SMTPClient
            .Result.Step?
        {
            // A later line of `AUTH` is base64 without a space or a line end among its first characters, so it matches
            // none of these.
            switch unsafe String(decoding: command.prefix(5), as: UTF8.self) {
            case "QUIT\r": nil
            case "EHLO ", "HELO ": .greeting
            case "START": .encrypting
            case "AUTH ": .authenticating
            case "MAIL ": .sender
            case "RCPT ": .recipient
            case "DATA\r": .content
            default: step
            }
        }

        private func result(of code: CURLcode, _ text: String) -> SMTPClient.Result {
            let line = Self.line(of: response)
            let number = Int(String(decoding: response.prefix(3), as: UTF8.self))
            let status = number.flatMap { (200...599).contains($0) ? $0 : nil }
            if code == CURLE_OK { return SMTPClient.Result(step: .content, code: status ?? 250, text: line) }
            // A response that isn't a refusal doesn't explain the failure.
            if let status, status >= 400 { return SMTPClient.Result(step: step, code: status, text: line) }
            let fault: SMTPClient.Result.Fault =
                switch code {
                case CURLE_USE_SSL_FAILED, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR,
                    CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
                    .insecure
                case CURLE_LOGIN_DENIED, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_NOT_BUILT_IN,
                    CURLE_UNKNOWN_OPTION, CURLE_BAD_FUNCTION_ARGUMENT:
                    .misconfigured
                default: .noConnection
                }
            return SMTPClient.Result(
                step: step, fault: fault, text: isCancelled.isSet ? "the server is stopping" : text)
        }

        /// The response in one line of printable characters.
        private static func line(of response: [UInt8]) -> String {
            let text = String(decoding: response, as: UTF8.self)
            return text.unicodeScalars.split { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }.map { String($0) }
                .joined(separator: " ")
        }
    }
#endif
