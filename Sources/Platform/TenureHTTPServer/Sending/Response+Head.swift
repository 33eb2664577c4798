import TenureHTTP

extension Response {
    /// What a response says about the end of its connection.
    enum ConnectionOption: String {
        case close = "Connection: close\r\n"
        case keepAlive = "Connection: Keep-Alive\r\n"
    }

    /// Appends the status line and the fields, with `Date`, `Connection` and `Content-Length`.
    ///
    /// Returns `false` if the response can't be sent: its status is out of range, or a field contains a line end or
    /// another control byte.
    func writeHead(to bytes: inout [UInt8], date: inout DateField, _ option: ConnectionOption?) -> Bool {
        guard (200...599).contains(status) else { return false }
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        Self.append(status, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: Self.reasonPhrase(status).utf8)
        bytes.append(contentsOf: "\r\n".utf8)
        date.append(to: &bytes)
        if let option { bytes.append(contentsOf: option.rawValue.utf8) }
        for field in headers.fields where !Self.isOurs(field.name) {
            guard !field.name.isEmpty, Self.append(field.name, to: &bytes, where: isToken) else { return false }
            bytes.append(contentsOf: ": ".utf8)
            guard Self.append(field.value, to: &bytes, where: isText) else { return false }
            bytes.append(contentsOf: "\r\n".utf8)
        }
        if status != 204 {
            bytes.append(contentsOf: "Content-Length: ".utf8)
            Self.append(body.count, to: &bytes)
            bytes.append(contentsOf: "\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return true
    }

    /// Whether only the head is sent (RFC 9112, 6.3).
    func hasNoBody(for request: Request) -> Bool {
        request.method == "HEAD" || status == 204 || status == 304
    }

    /// Appends a text; returns `false` if a byte isn't valid.
    private static func append(_ text: String, to bytes: inout [UInt8], where isValid: (UInt8) -> Bool) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return bytes[start...].allSatisfy(isValid)
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

extension Response.Body {
    /// The number of bytes.
    fileprivate var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let part): Int(part.range.upperBound - part.range.lowerBound)
        }
    }
}
