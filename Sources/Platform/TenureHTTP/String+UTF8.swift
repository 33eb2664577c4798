#if !canImport(Darwin)
    // Only the server uses it, and `UTF8Span` needs newer Apple systems than the client supports.
    extension String {
        /// Reads bytes that should be UTF-8; returns `nil` if they aren't.
        ///
        /// The same as `String(validating:as:)`, which takes twice as long for the short texts of a request.
        package init?(utf8 bytes: Span<UInt8>) {
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            self.init(copying: text)
        }
    }
#endif
