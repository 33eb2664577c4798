/// The path and the query of a request line, as they came.
struct Target {
    var path = ""
    var query = ""
    /// Bytes of the whole target.
    var size = 0
    /// Whether the target is UTF-8 without control bytes; otherwise path and query are empty.
    var isText = false

    /// Reads a text that ends with a zero.
    init(_ text: UnsafePointer<CChar>) {
        var mark: Int?
        var clean = true
        while true {
            let byte = unsafe UInt8(bitPattern: text[size])
            if byte == 0 { break }
            if byte == 0x3F, mark == nil { mark = size }
            if byte < 0x20 || byte == 0x7F { clean = false }
            size += 1
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: size)
        let end = mark ?? size
        guard clean, let path = unsafe String(validating: bytes[..<end], as: UTF8.self) else { return }
        if end < size {
            guard let query = unsafe String(validating: bytes[(end + 1)...], as: UTF8.self) else { return }
            self.query = query
        }
        self.path = path
        isText = true
    }
}
