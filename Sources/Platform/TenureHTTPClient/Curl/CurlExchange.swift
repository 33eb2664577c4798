#if !canImport(Darwin)
    import CCurl
    import TenureHTTP

    /// A running request and the response received so far; used on the loop's thread.
    final class CurlExchange {
        let handle: CurlHandle
        let ticket: CurlTicket
        private let request: OutgoingRequest
        private let limit: Int
        private let continuation: CheckedContinuation<CurlLoop.Outcome, Never>
        private var headers = Headers()
        private var body: [UInt8] = []
        private var isTooLong = false
        private let sink: HTTPSink?
        /// The number of body bytes passed to the sink; `nil` until the sink has seen the header.
        private var given: Int?
        private var isUnwanted = false

        init(
            handle: CurlHandle, ticket: CurlTicket, request: OutgoingRequest, options: TransportOptions,
            sink: HTTPSink?, continuation: CheckedContinuation<CurlLoop.Outcome, Never>
        ) {
            self.handle = handle
            self.ticket = ticket
            self.request = request
            limit = options.responseLimit
            self.sink = sink
            self.continuation = continuation
        }

        /// Registers libcurl's callbacks; the loop retains the exchange as long as libcurl uses the handle.
        func takeCallbacks() {
            let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
            for option in [CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA] {
                unsafe tenure_curl_set_pointer(handle.easy, option, pointer)
            }
            unsafe tenure_curl_set_callback(handle.easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, pointer in
                unsafe CurlExchange.of(pointer, bytes, size * count) { unsafe $0.take(body: $1) }
            }
            unsafe tenure_curl_set_callback(handle.easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, pointer in
                unsafe CurlExchange.of(pointer, bytes, size * count) { unsafe $0.take(line: $1) }
            }
        }

        static func of(_ easy: UnsafeMutableRawPointer) -> CurlExchange? {
            var pointer: UnsafeMutablePointer<CChar>?
            unsafe tenure_curl_get_pointer(easy, CURLINFO_PRIVATE, &pointer)
            return unsafe pointer.map { unsafe Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Returns the number of bytes taken; returning fewer than were offered makes libcurl end the transfer.
        private static func of(
            _ pointer: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int,
            _ take: (CurlExchange, UnsafeRawBufferPointer) -> Bool
        ) -> Int {
            guard let pointer = unsafe pointer else { return 0 }
            let exchange = unsafe Unmanaged<CurlExchange>.fromOpaque(pointer).takeUnretainedValue()
            return unsafe take(exchange, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }

        private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
            if let sink { return unsafe give(bytes, to: sink) }
            guard bytes.count <= limit - body.count else {
                isTooLong = true
                return false
            }
            unsafe body.append(contentsOf: bytes)
            return true
        }

        private func give(_ bytes: UnsafeRawBufferPointer, to sink: HTTPSink) -> Bool {
            if given == nil {
                given = 0
                isUnwanted = !sink.begin(Response(status: handle.status, headers: headers))
                if isUnwanted { return false }
            }
            guard bytes.count <= limit - (given ?? 0) else {
                isTooLong = true
                return false
            }
            given = (given ?? 0) + bytes.count
            isUnwanted = unsafe !sink.take(Array(bytes))
            return !isUnwanted
        }

        private func take(line bytes: UnsafeRawBufferPointer) -> Bool {
            if unsafe bytes.starts(with: "HTTP/".utf8) {
                // A new header section: the previous one was an informational response or a proxy's response.
                headers = Headers()
            } else if let colon = unsafe bytes.firstIndex(of: UInt8(ascii: ":")) {
                unsafe headers.add(Self.text(bytes[..<colon]), Self.text(bytes[(colon + 1)...]))
            }
            return true
        }

        /// A part of a line without the blanks and the line end around it.
        private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
            let blanks = " \t\r\n".utf8
            var bytes = unsafe bytes
            while let first = unsafe bytes.first, blanks.contains(first) { unsafe bytes.removeFirst() }
            while let last = unsafe bytes.last, blanks.contains(last) { unsafe bytes.removeLast() }
            return unsafe String(decoding: bytes, as: UTF8.self)
        }

        func outcome(of code: CURLcode) -> CurlLoop.Outcome {
            if isTooLong {
                return .failure(TransportError(CURLE_FILESIZE_EXCEEDED, origin: request.origin, detail: ""))
            }
            if code != CURLE_OK, handle.isAddressRefused {
                return .failure(
                    TransportError(
                        .addressRefused,
                        "\(request.origin) isn't on the public internet, or its port is neither 80 nor 443. Nothing was "
                            + "sent."))
            }
            // If the sink ended the transfer, the response is as complete as the sink wanted it.
            guard code == CURLE_OK || isUnwanted else {
                return .failure(TransportError(code, origin: request.origin, detail: handle.detail))
            }
            if let sink, given == nil {
                _ = sink.begin(Response(status: handle.status, headers: headers))
            }
            return .success(Response(status: handle.status, headers: headers, body: body))
        }

        func finish(_ outcome: CurlLoop.Outcome) { continuation.resume(returning: outcome) }
    }
#endif
