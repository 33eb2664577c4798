#if !canImport(Darwin)
    import CCurl

    /// The library as a whole.
    enum CurlLibrary {
        static func start() throws(TransportError) {
            guard started == CURLE_OK else { throw unusable }
        }

        static let unusable = TransportError(
            .noResources, "libcurl could not be used; memory ran out or its installation is broken.")

        private static let started = tenure_curl_start()
    }
#endif
