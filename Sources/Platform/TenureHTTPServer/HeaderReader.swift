import CMicrohttpd
import TenureHTTP

/// Collects the header fields of one request and notes what is wrong with them.
struct HeaderReader {
    private(set) var fields: [Headers.Field] = []
    /// The size of all fields as received in bytes, including colon, space and line end.
    private(set) var size = 0
    private(set) var isMalformed = false
    private(set) var hosts = 0
    private(set) var contentLengths = 0
    private(set) var contentLength = 0
    private(set) var transferEncodings = 0
    private(set) var isChunked = false
    private(set) var expectsContinue = false

    /// Reads the fields of a connection's current request.
    static func read(_ connection: OpaquePointer) -> HeaderReader {
        var reader = HeaderReader()
        reader.fields.reserveCapacity(12)
        unsafe withUnsafeMutablePointer(to: &reader) { reader in
            _ = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, addField, reader)
        }
        return reader
    }

    /// Whether the end of the request or its host is ambiguous (RFC 9112, 3.2 and 6.3).
    func isUnclear(version: UnsafePointer<CChar>) -> Bool {
        let isOld = unsafe version[5] == 0x31 && version[6] == 0x2E && version[7] == 0x30
        if isMalformed || hosts > 1 || (hosts == 0 && !isOld) { return true }
        if contentLengths > 1 || transferEncodings > 1 { return true }
        return transferEncodings == 1 && (contentLengths > 0 || !isChunked || isOld)
    }

    fileprivate mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ raw: UnsafeBufferPointer<UInt8>) {
        size += name.count + raw.count + 4
        let value = unsafe Self.trimmed(raw)
        if unsafe name.isEmpty || !name.allSatisfy(Self.isToken) || !value.allSatisfy(Self.isText) {
            isMalformed = true
        }
        switch name.count {
        case 4 where unsafe Self.equal(name, "host"):
            hosts += 1
        case 6 where unsafe Self.equal(name, "expect"):
            expectsContinue = true
        case 14 where unsafe Self.equal(name, "content-length"):
            contentLengths += 1
            contentLength = unsafe Self.number(value)
        case 17 where unsafe Self.equal(name, "transfer-encoding"):
            transferEncodings += 1
            isChunked = unsafe Self.equal(value, "chunked")
        default:
            break
        }
        unsafe fields.append(
            Headers.Field(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }

    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == 0x09
    }

    /// Removes trailing white space; libmicrohttpd has removed leading white space.
    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var end = bytes.count
        while end > 0, unsafe bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return unsafe UnsafeBufferPointer(rebasing: bytes[..<end])
    }

    private static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ lowercase: StaticString) -> Bool {
        guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            let lowered = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            if unsafe lowered != lowercase.utf8Start[index] { return false }
        }
        return true
    }

    /// Parses decimal digits; `Int.max` if the number is too large.
    ///
    /// libmicrohttpd has rejected everything else.
    private static func number(_ digits: UnsafeBufferPointer<UInt8>) -> Int {
        var number = 0
        for index in 0..<digits.count {
            let digit = unsafe digits[index]
            guard (0x30...0x39).contains(digit) else { continue }
            let (product, tooLarge) = number.multipliedReportingOverflow(by: 10)
            if tooLarge { return .max }
            number = product &+ Int(digit - 0x30)
            if number < 0 { return .max }
        }
        return number
    }
}

/// Receives one field from libmicrohttpd.
private func addField(
    _ reader: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameSize: Int,
    _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
    guard let reader = unsafe reader?.assumingMemoryBound(to: HeaderReader.self) else { return .NO }
    unsafe reader.pointee.add(bytes(name, nameSize), bytes(value, valueSize))
    return .YES
}

private func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    guard let start = unsafe start else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
}

/// The path and query of a request line, as received.
struct Target {
    var path = ""
    var query = ""
    /// The size of the whole target in bytes.
    var size = 0
    /// Whether the target is UTF-8 without control bytes; otherwise path and query are empty.
    var isText = false

    /// Parses a zero-terminated string.
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
