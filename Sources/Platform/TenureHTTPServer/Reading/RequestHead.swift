import TenureHTTP

/// The parts of a request's head, and the facts that decide how its body and the next request are read.
struct RequestHead {
    /// The number of bytes, and the offsets of the method and the target.
    fileprivate(set) var size = 0
    fileprivate(set) var (method, target) = (0..<0, 0..<0)
    /// The size of the body in bytes; 0 if the head doesn't announce one.
    private(set) var contentLength = 0
    /// Whether the body is chunked. No other request may follow then.
    private(set) var isChunked = false
    /// Whether there is an `Expect` field, and whether its value is `100-continue`.
    private(set) var (hasExpectation, expectsContinue) = (false, false)
    /// Whether the request is HTTP/1.0, which requires no host and has no chunked bodies.
    fileprivate(set) var isOld = false
    /// The options of the `Connection` fields (RFC 9112, 9.3).
    private(set) var (closes, keepsAlive) = (false, false)
    private var fields: [(name: Range<Int>, value: Range<Int>)] = []
    private var (hosts, contentLengths, transferEncodings) = (0, 0, 0)
    private var hasFault = false

    /// Whether the host and the end of the body are unambiguous (RFC 9112, 3.2 and 6.3).
    fileprivate var isClear: Bool {
        if hasFault || hosts > 1 || (hosts == 0 && !isOld) { return false }
        if contentLengths > 1 || transferEncodings > 1 { return false }
        return transferEncodings == 0 || (contentLengths == 0 && !isOld)
    }

    /// The header fields of the bytes that the head was read from.
    func headers(in bytes: UnsafeRawBufferPointer) -> Headers {
        Headers(
            fields.map { field in
                let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[field.name])
                return unsafe Headers.Field(name: text(name), value: text(trimmed(bytes[field.value])))
            })
    }

    /// Adds a field, and interprets it if it decides how the rest of the request is read.
    fileprivate mutating func add(name: Range<Int>, value: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        fields.append((name, value))
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[value])
        switch name.count {
        case 4 where unsafe isEqual(bytes[name], "host"):
            hosts += 1
        case 6 where unsafe isEqual(bytes[name], "expect"):
            if !hasExpectation { expectsContinue = unsafe isEqual(trimmed(text[...])[...], "100-continue") }
            hasExpectation = true
        case 10 where unsafe isEqual(bytes[name], "connection"):
            let options = unsafe text.split(separator: UInt8(ascii: ","))
            for index in unsafe options.indices {
                let option = unsafe trimmed(options[index])[...]
                if unsafe isEqual(option, "close") { closes = true }
                if unsafe isEqual(option, "keep-alive") { keepsAlive = true }
            }
        case 14 where unsafe isEqual(bytes[name], "content-length"):
            contentLengths += 1
            // 18 digits are always a number, and more than any body has.
            if unsafe !(1...18).contains(text.count) || !text.allSatisfy({ (0x30...0x39).contains($0) }) {
                hasFault = true
            }
            if !hasFault { contentLength = unsafe text.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        case 17 where unsafe isEqual(bytes[name], "transfer-encoding"):
            transferEncodings += 1
            isChunked = unsafe isEqual(text[...], "chunked")
            if !isChunked { hasFault = true }
        default: break
        }
    }
}

/// Reads a head, and refuses every one that isn't strict HTTP/1.0 or 1.1.
///
/// It accepts less than RFC 9112 allows:
///
/// - At most one empty line may precede a request.
/// - Every line must end with a carriage return and a line feed.
/// - Fields can't be folded.
/// - No white space may follow a `Content-Length`.
/// - The only coding is `chunked`, without extensions and trailers.
///
/// A head that it accepts has one meaning for every parser, so a proxy can't disagree about where a body ends.
///
/// If a head isn't complete, it's read again from its start when more bytes arrive. Its size and the number of its
/// items are limited, so that costs at most a few times as much as receiving the bytes.
struct HeadReader {
    /// Why no head was read.
    enum Stop: Error, Equatable {
        case incomplete
        /// The head must be refused with this status.
        case refused(Int)
    }

    /// The number of bytes by which each field, cookie, query item and connection option raises `memory`, in addition
    /// to its own bytes.
    ///
    /// So a head of the maximum size can't consist of thousands of them.
    private static let memoryPerItem = 64
    private static let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))

    private let sizeLimit, memoryLimit: Int
    private var index = 0
    /// The memory for the head's items so far, in addition to the bytes that were read; it counts towards
    /// `memoryLimit`.
    private var memory = 0

    init(_ limits: HTTPServer.Configuration) {
        sizeLimit = limits.headerLimit
        memoryLimit = limits.headerLimit + 4 << 10
    }

    /// Reads the head at the start of the bytes.
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(Stop) -> RequestHead {
        var head = RequestHead()
        // Some clients end a body with a line end that its length doesn't count (RFC 9112, 2.2).
        if try unsafe next(bytes) == Self.carriageReturn { try unsafe endLine(bytes) }
        head.method = try unsafe part(bytes, until: UInt8(ascii: " "), of: Headers.isTokenByte)
        head.target = try unsafe part(bytes, until: UInt8(ascii: " "), items: "&?") { $0 > 0x20 && $0 != 0x7F }
        head.isOld = try unsafe readVersion(bytes)
        try unsafe endLine(bytes)
        while try unsafe next(bytes) != Self.carriageReturn {
            let name = try unsafe part(bytes, until: UInt8(ascii: ":"), of: Headers.isTokenByte)
            let isCookie = unsafe name.count == 6 && isEqual(bytes[name], "cookie")
            let isConnection = unsafe name.count == 10 && isEqual(bytes[name], "connection")
            memory += isCookie ? 2 * Self.memoryPerItem : Self.memoryPerItem
            while try unsafe isBlank(next(bytes)) { index += 1 }
            let value = try unsafe part(
                bytes, until: Self.carriageReturn, isOptional: true, items: isCookie ? ";" : isConnection ? "," : "",
                of: Headers.isValueByte)
            try unsafe endLine(bytes)
            unsafe head.add(name: name, value: value, in: bytes)
        }
        try unsafe endLine(bytes)
        guard head.isClear else { throw .refused(400) }
        head.size = index
        return head
    }

    private func next(_ bytes: UnsafeRawBufferPointer) throws(Stop) -> UInt8 {
        guard index < bytes.count else { throw stop(.incomplete) }
        return unsafe bytes[index]
    }

    /// Reads a part up to the byte `end`, and refuses any other byte that can't be in it; returns the part's offsets.
    ///
    /// - Parameter items: The bytes that each begin another item, which counts as memory.
    private mutating func part(
        _ bytes: UnsafeRawBufferPointer, until end: UInt8, isOptional: Bool = false, items: StaticString = "",
        of isPart: (UInt8) -> Bool
    ) throws(Stop) -> Range<Int> {
        let start = index
        while index < bytes.count, unsafe isPart(bytes[index]) { index += 1 }
        if items.utf8CodeUnitCount > 0 {
            for offset in start..<index {
                let byte = unsafe bytes[offset]
                if items.withUTF8Buffer({ unsafe $0.contains(byte) }) { memory += Self.memoryPerItem }
            }
        }
        guard try unsafe next(bytes) == end, isOptional || index > start else { throw stop(.refused(400)) }
        if end != Self.carriageReturn { index += 1 }
        return start..<(end == Self.carriageReturn ? index : index - 1)
    }

    /// Reads the version, and returns whether it's HTTP/1.0.
    private mutating func readVersion(_ bytes: UnsafeRawBufferPointer) throws(Stop) -> Bool {
        let start = index
        for expected in "HTTP/0.0\r".utf8 {
            let byte = try unsafe next(bytes)
            let isDigit = expected == UInt8(ascii: "0") && (0x30...0x39).contains(byte)
            guard byte == expected || isDigit else { throw stop(.refused(400)) }
            if byte != Self.carriageReturn { index += 1 }
        }
        let (major, minor) = unsafe (bytes[start + 5], bytes[start + 7])
        guard major == UInt8(ascii: "1"), minor <= UInt8(ascii: "1") else { throw stop(.refused(505)) }
        return minor == UInt8(ascii: "0")
    }

    private mutating func endLine(_ bytes: UnsafeRawBufferPointer) throws(Stop) {
        guard try unsafe next(bytes) == Self.carriageReturn else { throw stop(.refused(400)) }
        index += 1
        guard try unsafe next(bytes) == Self.lineFeed else { throw stop(.refused(400)) }
        index += 1
        if isTooLarge { throw .refused(431) }
    }

    /// The status of a head that is too large is always 431, however its bytes were split when they arrived.
    private func stop(_ stop: Stop) -> Stop { isTooLarge ? .refused(431) : stop }

    private var isTooLarge: Bool { index > sizeLimit || index + memory > memoryLimit }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// Whether bytes equal a text in lower case, regardless of the case of the bytes.
private func isEqual(_ bytes: Slice<UnsafeRawBufferPointer>, _ text: StaticString) -> Bool {
    guard unsafe bytes.count == text.utf8CodeUnitCount else { return false }
    return unsafe zip(bytes, 0..<bytes.count).allSatisfy { byte, index in
        unsafe ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == text.utf8Start[index]
    }
}

/// Removes white space at both ends.
private func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
    var (start, end) = unsafe (bytes.startIndex, bytes.endIndex)
    while end > start, unsafe isBlank(bytes[end - 1]) { end -= 1 }
    while start < end, unsafe isBlank(bytes[start]) { start += 1 }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
}

private let json = Array("application/json".utf8)

/// The text of a name or value. `application/json`, the most frequent long text, needs no allocation.
private func text(_ bytes: UnsafeRawBufferPointer) -> String {
    if bytes.count == json.count, unsafe bytes.elementsEqual(json) { return "application/json" }
    return unsafe String(decoding: bytes, as: UTF8.self)
}
