import TenureHTTP

/// The path and query of a request line, as received.
struct Target {
    var path = ""
    var query = ""
    /// Whether the target is UTF-8; otherwise path and query are empty.
    var isText = false

    /// Splits a target at its first question mark.
    init(_ bytes: UnsafeRawBufferPointer) {
        let end = unsafe bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        guard let path = unsafe Self.text(bytes[..<end]) else { return }
        if end < bytes.count {
            guard let query = unsafe Self.text(bytes[(end + 1)...]) else { return }
            self.query = query
        }
        self.path = path
        isText = true
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
        unsafe UnsafeRawBufferPointer(rebasing: bytes)
            .withMemoryRebound(to: UInt8.self) { unsafe String(utf8: $0.span) }
    }
}
