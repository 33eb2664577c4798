import TenureHTTP

extension Response {
    /// The value of a response's `Connection` field.
    enum ConnectionOption {
        case close
        case keepAlive

        fileprivate var line: StaticString {
            switch self {
            case .close: "Connection: close\r\n"
            case .keepAlive: "Connection: Keep-Alive\r\n"
            }
        }
    }

    /// Appends the status line and the fields, with `Date`, `Connection` and `Content-Length`.
    ///
    /// Returns `false` if the response can't be sent: its status is out of range, or a field contains a line end or
    /// another control byte.
    func writeHead(to bytes: inout [UInt8], date: inout DateField, _ option: ConnectionOption?) -> Bool {
        guard (200...599).contains(status) else { return false }
        bytes.append("HTTP/1.1 ")
        Self.append(status, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        bytes.append(Self.reasonPhrase(status))
        bytes.append("\r\n")
        date.append(to: &bytes)
        if let option { bytes.append(option.line) }
        for field in headers.fields where !Self.isOurs(field.name) {
            guard !field.name.isEmpty, Self.append(field.name, to: &bytes, where: Headers.isTokenByte) else {
                return false
            }
            bytes.append(": ")
            guard Self.append(field.value, to: &bytes, where: Headers.isValueByte) else { return false }
            bytes.append("\r\n")
        }
        if status != 204 {
            bytes.append("Content-Length: ")
            Self.append(body.count, to: &bytes)
            bytes.append("\r\n")
        }
        bytes.append("\r\n")
        return true
    }

    /// Whether only the head is sent (RFC 9112, 6.3).
    func hasNoBody(for request: Request) -> Bool {
        request.method == "HEAD" || status == 204 || status == 304
    }

    /// Appends a text; returns `false` if a byte isn't valid.
    private static func append(_ text: String, to bytes: inout [UInt8], where isValid: (UInt8) -> Bool) -> Bool {
        let utf8 = text.utf8.span
        for index in utf8.indices where !isValid(utf8[index]) { return false }
        unsafe utf8.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        return true
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    private static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: Headers.sameName(name, "Date")
        case 10: Headers.sameName(name, "Connection")
        case 14: Headers.sameName(name, "Content-Length")
        case 17: Headers.sameName(name, "Transfer-Encoding")
        default: false
        }
    }
}

extension [UInt8] {
    /// Appends a literal, whose bytes needn't be copied out of a string first.
    fileprivate mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }
}

extension Response.Body {
    fileprivate var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let part): Int(part.range.upperBound - part.range.lowerBound)
        }
    }
}
