/// The path and query of a request line, as received.
struct Target {
    var path = ""
    var query = ""
    /// Whether the target is UTF-8; otherwise path and query are empty.
    var isText = false

    /// Splits a target at its first question mark.
    init(_ bytes: UnsafeRawBufferPointer) {
        let end = unsafe bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        guard let path = unsafe String(validating: bytes[..<end], as: UTF8.self) else { return }
        if end < bytes.count {
            guard let query = unsafe String(validating: bytes[(end + 1)...], as: UTF8.self) else { return }
            self.query = query
        }
        self.path = path
        isText = true
    }
}
