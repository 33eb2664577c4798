#if !canImport(Darwin)
    import CCurl
    import TenureHTTP

    /// The libcurl settings of one transfer; only used on the loop's thread.
    @safe final class CurlHandle {
        let easy: UnsafeMutableRawPointer
        private var fields: UnsafeMutablePointer<curl_slist>?
        private let message: UnsafeMutablePointer<CChar>
        private let addresses: UnsafeMutablePointer<tenure_address_check>

        init(_ request: OutgoingRequest, _ options: TransportOptions) throws(TransportError) {
            guard let easy = unsafe curl_easy_init() else { throw CurlLibrary.unusable }
            unsafe self.easy = easy
            unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
            unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
            unsafe addresses = .allocate(capacity: 1)
            unsafe addresses.initialize(to: tenure_address_check(refused: 0, allowed: 0))
            try check(unsafe tenure_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, message))
            try check(unsafe tenure_curl_only_web(easy))
            try set(CURLOPT_NOSIGNAL, 1)
            try set(CURLOPT_URL, request.url)
            try setMethod(of: request)
            try setHeaders(of: request, options)
            try setOptions(options)
        }

        deinit {
            unsafe curl_easy_cleanup(easy)
            unsafe curl_slist_free_all(fields)
            unsafe message.deallocate()
            unsafe addresses.deallocate()
        }

        /// Whether no connection was tried because the host's addresses aren't public or the port isn't allowed.
        var isAddressRefused: Bool {
            let check = unsafe addresses.pointee
            return check.refused > 0 && check.allowed == 0
        }

        /// libcurl's message about the failure; empty if it has none.
        var detail: String { unsafe String(cString: message) }

        var status: Int {
            var status = 0
            unsafe tenure_curl_get_number(easy, CURLINFO_RESPONSE_CODE, &status)
            return status
        }

        func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
            try check(unsafe tenure_curl_set_number(easy, option, value))
        }

        func set(_ option: CURLoption, _ value: String) throws(TransportError) {
            try check(unsafe tenure_curl_set_text(easy, option, value))
        }

        func set(_ option: CURLoption, size: Int) throws(TransportError) {
            try check(unsafe tenure_curl_set_size(easy, option, curl_off_t(size)))
        }

        private func setMethod(of request: OutgoingRequest) throws(TransportError) {
            switch (request.method, request.body) {
            case ("GET", nil): try set(CURLOPT_HTTPGET, 1)
            case ("HEAD", nil): try set(CURLOPT_NOBODY, 1)
            case (_, nil):
                try set(CURLOPT_CUSTOMREQUEST, request.method)
            case (_, let body?):
                try set(CURLOPT_POST, 1)
                try set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
                try check(unsafe tenure_curl_set_bytes(easy, CURLOPT_COPYPOSTFIELDS, body))
                try set(CURLOPT_CUSTOMREQUEST, request.method)
            }
        }

        private func setHeaders(of request: OutgoingRequest, _ options: TransportOptions) throws(TransportError) {
            // Override libcurl's defaults: no `Expect: 100-continue`, and no guessed content type.
            // A name with a colon and no value removes the field.
            var lines = ["Expect:"]
            if request.body != nil, request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
            for field in request.headers.fields {
                lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
            }
            for line in lines {
                guard let longer = unsafe curl_slist_append(fields, line) else { throw CurlLibrary.unusable }
                unsafe fields = longer
            }
            try check(unsafe tenure_curl_set_list(easy, CURLOPT_HTTPHEADER, fields))
            if let agent = options.userAgent { try set(CURLOPT_USERAGENT, agent) }
        }

        private func setOptions(_ options: TransportOptions) throws(TransportError) {
            try set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
            try set(CURLOPT_TIMEOUT_MS, options.timeout.milliseconds)
            try set(CURLOPT_MAXFILESIZE_LARGE, size: options.responseLimit)
            switch options.proxy {
            case .system: break
            case .none: try set(CURLOPT_PROXY, "")
            case .url(let proxy): try set(CURLOPT_PROXY, proxy)
            }
            if !options.pinnedKeys.isEmpty {
                let pins = options.pinnedKeys.map { "sha256//" + $0 }.joined(separator: ";")
                try set(CURLOPT_PINNEDPUBLICKEY, pins)
            }
            if let authorities = options.authorities { try set(CURLOPT_CAINFO, authorities) }
            if options.reachesPublicAddressesAlone {
                try check(unsafe tenure_curl_only_public(easy, addresses))
            }
            if let stall = options.stallTimeout {
                try set(CURLOPT_LOW_SPEED_LIMIT, 1)
                try set(CURLOPT_LOW_SPEED_TIME, max(1, stall.milliseconds / 1000))
            }
            if let socket = options.unixSocket { try set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        }

        private func check(_ code: CURLcode) throws(TransportError) {
            guard code == CURLE_OK else { throw TransportError(code, origin: "the server", detail: "") }
        }
    }

    extension Duration {
        /// Whole milliseconds, at least one, because libcurl treats zero as "no limit".
        fileprivate var milliseconds: Int {
            let (seconds, attoseconds) = components
            return max(
                1,
                Int(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue)
                    + Int(attoseconds / 1_000_000_000_000_000))
        }
    }
#endif
