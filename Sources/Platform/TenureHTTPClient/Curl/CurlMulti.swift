#if !canImport(Darwin)
    import CCurl

    /// A libcurl multi handle with its transfers and connections.
    ///
    /// Only ``wake()`` may be called from threads other than the loop's. The handle is freed when it is no longer
    /// referenced.
    @safe final class CurlMulti: Sendable {
        private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

        init(connections: Int) throws(TransportError) {
            guard let multi = unsafe curl_multi_init() else { throw CurlLibrary.unusable }
            unsafe self.multi = multi
            for option in [CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_MAXCONNECTS] {
                unsafe tenure_curl_multi_set_number(multi, option, connections)
            }
        }

        deinit { unsafe curl_multi_cleanup(multi) }

        func add(_ handle: CurlHandle) throws(TransportError) {
            guard unsafe curl_multi_add_handle(multi, handle.easy) == CURLM_OK else { throw CurlLibrary.unusable }
        }

        func remove(_ handle: CurlHandle) {
            unsafe curl_multi_remove_handle(multi, handle.easy)
        }

        /// Sends and receives everything that libcurl can transfer without waiting.
        func perform() {
            var running: Int32 = 0
            unsafe curl_multi_perform(multi, &running)
        }

        /// Returns the next finished transfer and its result code; `nil` if there isn't one.
        func nextFinished() -> (CurlExchange, CURLcode)? {
            var left: Int32 = 0
            while let message = unsafe curl_multi_info_read(multi, &left) {
                guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle,
                    let exchange = unsafe CurlExchange.of(easy)
                else { continue }
                return unsafe (exchange, message.pointee.data.result)
            }
            return nil
        }

        /// Sleeps until a socket is ready, a libcurl timer expires or ``wake()`` is called.
        func wait() {
            unsafe curl_multi_poll(multi, nil, 0, .max, nil)
        }

        func wake() {
            unsafe curl_multi_wakeup(multi)
        }
    }

    /// Process-wide functions of libcurl.
    enum CurlLibrary {
        static func start() throws(TransportError) {
            guard started == CURLE_OK else { throw unusable }
        }

        static let unusable = TransportError(
            .noResources, "libcurl could not be used; memory ran out or its installation is broken.")

        static func isPublic(_ address: String) -> Bool { unsafe tenure_is_public_text(address) != 0 }

        private static let started = tenure_curl_start()
    }
#endif
