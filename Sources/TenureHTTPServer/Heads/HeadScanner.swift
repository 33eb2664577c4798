/// Reads along with what a connection brings, and finds the heads that the library would answer in words of its own.
///
/// It knows where each request ends, so that of many requests on one connection each head is looked at, and nothing of a
/// body is taken for one. It decides only what the library leaves nobody else to decide: what it hands on is judged by
/// ``HeaderReader``.
struct HeadScanner {
    /// A head that is not handed on.
    struct Fault: Hashable {
        /// The status of the answer.
        let status: Int
        /// Where in the bytes that were scanned last the request begins; 0 for one that began before them.
        let offset: Int
    }

    private enum Place {
        /// Before a request line; empty lines there are skipped.
        case start
        /// Among the header fields.
        case fields
        /// In a body, with so many bytes of it to come.
        case body(Int)
        /// Before the line that says how long the next chunk is.
        case chunkSize
        /// In a chunk, with so many bytes of it and its line end to come.
        case chunk(Int)
        /// Among the fields behind the last chunk.
        case trailers
        /// Behind the last request that this connection is for.
        case over
    }

    /// The method of the latest request line; empty when there was none.
    private(set) var method: [UInt8] = []
    /// The target of the latest request line, as it came.
    private(set) var target: [UInt8] = []

    /// How many whole heads were handed on.
    private(set) var heads = 0

    private let limit: Int
    private var place = Place.start
    /// The beginning of a line that has come in parts.
    private var line: [UInt8] = []
    private var size = 0
    private var fields = 0
    private var length = 0
    private var isChunked = false
    private var isLast = false

    /// Scans with so many bytes for a request line and its fields together.
    init(limit: Int) { self.limit = limit }

    /// Reads on; answers the first head that is not to be handed on, after which nothing more may be scanned.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Fault? {
        var next = 0
        var start = 0
        while next < bytes.count {
            switch place {
            case .over:
                return nil
            case .body(let left):
                let taken = min(left, bytes.count - next)
                next += taken
                place = taken < left ? .body(left - taken) : .start
            case .chunk(let left):
                let taken = min(left, bytes.count - next)
                next += taken
                place = taken < left ? .chunk(left - taken) : .chunkSize
            case .start, .fields, .chunkSize, .trailers:
                if case .start = place, line.isEmpty { start = next }
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[next...])
                guard let end = unsafe rest.firstIndex(of: 0x0A) else {
                    unsafe line.append(contentsOf: rest)
                    return isTooLarge(adding: line.count) ? Fault(status: 431, offset: start) : nil
                }
                unsafe line.append(contentsOf: rest[..<end])
                next += end + 1
                if let status = takeLine() { return Fault(status: status, offset: start) }
            }
        }
        return nil
    }

    /// Whether the head is larger than is read, or has more fields than the library has room to list.
    private func isTooLarge(adding more: Int) -> Bool {
        size + more > limit || size + more + fields * 64 > limit + 6 << 10
    }

    private mutating func takeLine() -> Int? {
        if line.last == 0x0D { line.removeLast() }
        defer { line.removeAll(keepingCapacity: true) }
        switch place {
        case .start:
            if line.isEmpty { return nil }
            (size, fields, length, isChunked, isLast) = (line.count + 2, 0, 0, false, false)
            place = .fields
            return isTooLarge(adding: 0) ? 431 : requestLineFault()
        case .fields:
            if line.isEmpty {
                heads += 1
                place = afterHead
                return nil
            }
            size += line.count + 2
            fields += 1
            return isTooLarge(adding: 0) ? 431 : fieldFault()
        case .chunkSize:
            place = afterChunkSize
        case .trailers:
            if line.isEmpty { place = isLast ? .over : .start }
        case .body, .chunk, .over:
            break
        }
        return nil
    }

    private mutating func requestLineFault() -> Int? {
        guard let first = line.firstIndex(of: 0x20), let last = line.lastIndex(of: 0x20), first > 0, first < last,
            !line.contains(0x0D)
        else { return 400 }
        // Kept in the same room for every request of the connection.
        method.removeAll(keepingCapacity: true)
        method.append(contentsOf: line[..<first])
        target.removeAll(keepingCapacity: true)
        target.append(contentsOf: line[(first + 1)..<last])
        let version = line[(last + 1)...]
        guard version.count == 8, version.starts(with: "HTTP/".utf8), version[last + 7] == 0x2E,
            Self.isDigit(version[last + 6]), Self.isDigit(version[last + 8])
        else { return 400 }
        isLast = version[last + 8] == 0x30
        return version[last + 6] == 0x31 ? nil : 505
    }

    private mutating func fieldFault() -> Int? {
        // A field that goes on in the next line is obsolete, and read differently by different readers (RFC 9112, 5.2).
        guard line[0] != 0x20, line[0] != 0x09, !line.contains(0x0D), let colon = line.firstIndex(of: 0x3A), colon > 0
        else { return 400 }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        switch colon {
        case 10 where Self.isSame(line[..<colon], "connection"):
            if Self.isSame(value, "close") { isLast = true }
        case 14 where Self.isSame(line[..<colon], "content-length"):
            guard !value.isEmpty, value.allSatisfy(Self.isDigit) else { return 400 }
            guard value.count <= 18 else { return 413 }
            length = value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        case 17 where Self.isSame(line[..<colon], "transfer-encoding"):
            isChunked = true
            // Any other coding is refused where the whole head is judged, and nothing behind it is read.
            if !Self.isSame(value, "chunked") { isLast = true }
        default:
            break
        }
        return nil
    }

    private var afterHead: Place {
        if isChunked { return .chunkSize }
        if isLast { return .over }
        return length > 0 ? .body(length) : .start
    }

    /// Behind a size that cannot be read nothing is clear any more, and the library ends the connection.
    private var afterChunkSize: Place {
        let digits = line.prefix { $0 != 0x3B && $0 != 0x20 && $0 != 0x09 }
        guard (1...15).contains(digits.count), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            digits.first != 0x2B, digits.first != 0x2D
        else { return .over }
        return size == 0 ? .trailers : .chunk(size + 2)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func isSame(_ bytes: ArraySlice<UInt8>, _ lowercase: StaticString) -> Bool {
        guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
        return bytes.elementsEqual(lowercase.description.utf8) { byte, lower in
            ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == lower
        }
    }
}
