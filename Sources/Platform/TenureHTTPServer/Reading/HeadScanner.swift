/// Finds the ends of requests in the bytes of a connection, and refuses every head that isn't strict HTTP/1.0 or 1.1.
///
/// It accepts less than RFC 9112 allows: at most one empty line before a request, no line that ends without a carriage return,
/// no folded field, no white space behind a `Content-Length`, and no coding but `chunked`, without extensions and
/// trailers. What it accepts has one meaning for every parser, so libmicrohttpd can't disagree about where a body ends.
package struct HeadScanner {
    /// What a complete head says about the rest of its request.
    package struct Head: Equatable {
        /// The size of the body in bytes; 0 if the head doesn't announce one.
        package var contentLength = 0
        /// Whether the body is chunked. No other request may follow then.
        package var isChunked = false
        package var expectsContinue = false

        package init() {}
    }

    private enum Step {
        case emptyLine, method, target, version, lineEnd
        case fieldStart, name, valueStart, value, fieldEnd, headEnd, complete
        case body, chunks, rest
    }

    private static let space = UInt8(ascii: " ")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let protocolName: StaticString = "HTTP/"

    /// The status to refuse the last request with, of which only a part was scanned; `nil` if all bytes are acceptable.
    package private(set) var refusal: Int?
    /// The complete heads that ``takeHead()`` hasn't returned yet, the oldest first.
    private var heads: [Head] = []
    private var step = Step.method
    /// The number of bytes in the current method, target or version.
    private var length = 0
    private var isVersionKnown = true
    private var hasSkippedLine = false
    private var fields = HeadFields()
    /// The bytes of the current head, and the memory in bytes that libmicrohttpd needs for them and its lists.
    private var (size, memory) = (0, 0)
    private var bodyLeft = 0
    private var chunks = ChunkScanner()
    private let sizeLimit: Int
    private let memoryLimit: Int

    /// Creates a scanner for the first byte of a connection.
    ///
    /// - Parameters:
    ///   - sizeLimit: The maximum size of a head in bytes; a larger one is refused with 431.
    ///   - memoryLimit: The maximum memory in bytes for a head and the lists of its fields and cookies.
    package init(sizeLimit: Int, memoryLimit: Int) {
        self.sizeLimit = sizeLimit
        self.memoryLimit = memoryLimit
    }

    /// If the refusal concerns the body of a request that has passed, the bytes that end this body.
    package var bodyEnding: String? {
        refusal != nil && step == .chunks ? chunks.ending : nil
    }

    /// Removes and returns the oldest complete head.
    package mutating func takeHead() -> Head? {
        heads.isEmpty ? nil : heads.removeFirst()
    }

    /// Scans the next bytes of the connection.
    ///
    /// Returns how many of them belong to complete heads and their bodies. The rest begins a head that isn't complete
    /// or, if ``refusal`` is set, is refused. Nothing may be scanned after a refusal.
    package mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Int {
        var (index, passed) = (0, 0)
        while index < bytes.count {
            switch step {
            case .rest:
                return bytes.count
            case .body:
                let count = min(bodyLeft, bytes.count - index)
                index += count
                passed = index
                bodyLeft -= count
                if bodyLeft == 0 { beginHead() }
            case .chunks:
                guard unsafe chunks.scan(bytes, &index, passed: &passed) else {
                    refuse(400)
                    return passed
                }
                if chunks.isComplete { step = .rest }
            default:
                let start = index
                unsafe scanPart(bytes, &index)
                size += index - start
                memory += index - start
                if isTooLarge() { refuse(431) }
                if step == .complete { endHead() }
                if refusal != nil { return passed }
                if [.method, .body, .chunks].contains(step), size == 0 { passed = index }
            }
        }
        return passed
    }

    /// Scans bytes of one part of a head, and moves the index behind them.
    private mutating func scanPart(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) {
        let start = index
        switch step {
        case .method:
            // Some clients end a body with a line end that its length doesn't count (RFC 9112, 2.2).
            if length == 0, !hasSkippedLine, unsafe bytes[index] == Self.carriageReturn {
                hasSkippedLine = true
                step = .emptyLine
                index += 1
                return
            }
            while index < bytes.count, unsafe isToken(bytes[index]) { index += 1 }
            length += index - start
            unsafe end(bytes, &index, from: start, with: Self.space, isEmpty: length == 0, next: .target)
        case .target:
            while index < bytes.count, unsafe bytes[index] > Self.space && bytes[index] != 0x7F {
                // libmicrohttpd lists the parts of a query, too.
                if unsafe bytes[index] == UInt8(ascii: "&") || bytes[index] == UInt8(ascii: "?") {
                    memory += HeadFields.memoryPerField
                }
                index += 1
            }
            length += index - start
            unsafe end(bytes, &index, from: start, with: Self.space, isEmpty: length == 0, next: .version)
        case .version:
            unsafe scanVersion(bytes[index])
            index += 1
        case .emptyLine:
            unsafe end(bytes, &index, from: start, with: Self.lineFeed, next: .method)
        case .lineEnd, .fieldEnd:
            unsafe end(bytes, &index, from: start, with: Self.lineFeed, next: .fieldStart)
        case .fieldStart:
            if unsafe bytes[index] == Self.carriageReturn {
                step = .headEnd
                index += 1
            } else {
                fields.beginName()
                step = .name
                length = 0
            }
        case .name:
            while index < bytes.count, unsafe isToken(bytes[index]) {
                unsafe fields.addToName(bytes[index])
                index += 1
            }
            length += index - start
            unsafe end(bytes, &index, from: start, with: UInt8(ascii: ":"), isEmpty: length == 0, next: .valueStart)
            if step == .valueStart { memory += fields.endName() }
        case .valueStart:
            while index < bytes.count, unsafe bytes[index] == Self.space || bytes[index] == 0x09 { index += 1 }
            if index < bytes.count { step = .value }
        case .value:
            if fields.isValueRead {
                while index < bytes.count, unsafe isText(bytes[index]) {
                    unsafe memory += fields.addToValue(bytes[index])
                    index += 1
                }
            } else {
                while index < bytes.count, unsafe isText(bytes[index]) { index += 1 }
            }
            unsafe end(bytes, &index, from: start, with: Self.carriageReturn, next: .fieldEnd)
            if step == .fieldEnd { fields.endValue() }
        case .headEnd:
            unsafe end(bytes, &index, from: start, with: Self.lineFeed, next: .complete)
        case .complete, .body, .chunks, .rest:
            break
        }
    }

    /// Ends the current part, scanned from `start`, if the next byte is the one that ends it; refuses any other.
    private mutating func end(
        _ bytes: UnsafeRawBufferPointer, _ index: inout Int, from start: Int, with byte: UInt8, isEmpty: Bool = false,
        next: Step
    ) {
        guard index < bytes.count else { return }
        guard unsafe bytes[index] == byte, !isEmpty else {
            // The part may have become too large before this byte. How the bytes are cut must not change the status.
            if isTooLarge(adding: index - start) { refuse(431) }
            return refuse(400)
        }
        index += 1
        step = next
        length = 0
    }

    private func isTooLarge(adding count: Int = 0) -> Bool {
        size + count > sizeLimit || memory + count > memoryLimit
    }

    private mutating func scanVersion(_ byte: UInt8) {
        let isDigit = (0x30...0x39).contains(byte)
        switch length {
        case 0..<5: if unsafe byte != Self.protocolName.utf8Start[length] { refuse(400) }
        case 5:
            isVersionKnown = byte == UInt8(ascii: "1")
            if !isDigit { refuse(400) }
        case 6: if byte != UInt8(ascii: ".") { refuse(400) }
        case 7:
            fields.isOld = byte == UInt8(ascii: "0")
            if byte > UInt8(ascii: "1") { isVersionKnown = false }
            if !isDigit { refuse(400) }
        default:
            step = .lineEnd
            if byte != Self.carriageReturn { refuse(400) }
            if !isVersionKnown { refuse(505) }
        }
        length += 1
    }

    private mutating func endHead() {
        guard fields.areClear else { return refuse(400) }
        let head = fields.head
        heads.append(head)
        bodyLeft = head.contentLength
        beginHead()
        if head.isChunked { step = .chunks } else if bodyLeft > 0 { step = .body }
    }

    private mutating func beginHead() {
        step = .method
        (length, size, memory) = (0, 0, 0)
        isVersionKnown = true
        hasSkippedLine = false
        fields = HeadFields()
    }

    private mutating func refuse(_ status: Int) {
        refusal = refusal ?? status
    }
}

/// Whether a byte may occur in a method or a field name.
private func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
    default: false
    }
}

/// Whether a byte may occur in the value of a field.
private func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 ? byte != 0x7F : byte == 0x09
}
