import CReading
import Glibc
import TenureThreads

/// Reads one connection's bytes for libmicrohttpd, and lets only acceptable heads through.
///
/// A head reaches libmicrohttpd when it's complete. In place of one that must be refused it gets an empty request, for
/// which ``takeHead()`` returns the refusal, and nothing more.
final class SocketReader {
    /// What the next request of a connection is.
    enum Incoming {
        case head(HeadScanner.Head)
        /// A request to refuse; method and target are empty if they weren't read.
        case refused(status: Int, method: String, target: Target)
    }

    /// The most bytes that are read and discarded after a refused head.
    ///
    /// A connection that is closed while bytes are unread is reset, and the client may then lose its response.
    private static let discardLimit = 256 << 10

    private let connection: Connection
    private let deadline: Duration
    private var scanner: HeadScanner
    /// Bytes that libmicrohttpd hasn't got yet: first `ready` that it may get, then the beginning of a head.
    private var held: [UInt8] = []
    private var ready = 0
    private var refused: Incoming?
    /// The status to refuse a request with whose head has passed, but whose body is broken.
    private(set) var bodyRefusal: Int?

    /// Creates the reader of a new connection.
    init(_ connection: Connection, configuration: HTTPServer.Configuration) {
        self.connection = connection
        deadline = configuration.requestDeadline
        scanner = HeadScanner(sizeLimit: configuration.headerLimit, memoryLimit: configuration.headMemory)
    }

    /// Returns the next request that libmicrohttpd has received; `nil` if this reader didn't pass one on.
    func takeHead() -> Incoming? {
        if let head = scanner.takeHead() { return .head(head) }
        defer { refused = nil }
        return refused
    }

    /// Reads like `recv`: returns a count, 0 at the end, or -1 with `errno` set.
    ///
    /// A count below the buffer's size means that the socket has nothing more: libmicrohttpd then waits for an event.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while true {
            unsafe filled += deliver(to: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if filled == buffer.count { return filled }
            let count: Int
            if !held.isEmpty {
                count = readMore()
            } else if scanner.refusal == nil {
                unsafe count = readDirectly(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), &filled)
                if count > 0, held.isEmpty { return filled }
            } else {
                errno = EAGAIN
                count = -1
            }
            if count <= 0 { return filled > 0 ? filled : count }
        }
    }

    /// Moves bytes that libmicrohttpd may get to its buffer; returns how many.
    private func deliver(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(ready, buffer.count)
        guard count > 0 else { return 0 }
        unsafe buffer.copyBytes(from: held[..<count])
        held.removeFirst(count)
        ready -= count
        return count
    }

    /// Reads into libmicrohttpd's buffer, and takes back what it may not get yet.
    private func readDirectly(into buffer: UnsafeMutableRawBufferPointer, _ filled: inout Int) -> Int {
        let count = unsafe recvfrom(connection.descriptor, buffer.baseAddress, buffer.count, 0, nil, nil)
        guard count > 0 else { return count }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        let passed = unsafe scanner.scan(bytes)
        filled += passed
        if passed < count {
            held = unsafe Array(bytes[passed...])
            settle()
        }
        return count
    }

    /// Reads more of a head that isn't complete.
    private func readMore() -> Int {
        let old = held.count
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { chunk in
            let count = unsafe recvfrom(connection.descriptor, chunk.baseAddress, chunk.count, 0, nil, nil)
            if count > 0 { unsafe held.append(contentsOf: chunk[..<count]) }
            return count
        }
        guard count > 0 else { return count }
        let passed = unsafe held.withUnsafeBytes { held in
            unsafe scanner.scan(UnsafeRawBufferPointer(rebasing: held[old...]))
        }
        if passed > 0 { ready = old + passed }
        settle()
        return count
    }

    /// Replaces a refused head, and gives one that isn't complete a deadline.
    private func settle() {
        guard let status = scanner.refusal else {
            let deadline = SteadyTime.now().advanced(by: deadline)
            if held.count > ready, connection.cutAt > deadline { connection.cutAt = deadline }
            return
        }
        defer { discard() }
        if let ending = scanner.bodyEnding {
            bodyRefusal = status
            return hold(ending)
        }
        let words = held[ready...].drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.prefix {
            $0 >= UInt8(ascii: " ")
        }
        .split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        let isLine = words.count == 3
        let method = isLine ? String(validating: words[0], as: UTF8.self) ?? "" : ""
        let target = unsafe Array(isLine ? words[1] : []).withUnsafeBytes { unsafe Target($0) }
        refused = .refused(status: status, method: method, target: target)
        hold("\(method == "HEAD" ? method : "GET") / HTTP/1.1\r\nHost: refused\r\n\r\n")
    }

    /// Replaces what libmicrohttpd may not get.
    private func hold(_ text: String) {
        held.removeLast(held.count - ready)
        held += Array(text.utf8)
        ready = held.count
    }

    private func discard() {
        var discarded = 0
        unsafe withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { chunk in
            while discarded < Self.discardLimit {
                let count = unsafe recvfrom(connection.descriptor, chunk.baseAddress, chunk.count, 0, nil, nil)
                if count <= 0 { break }
                discarded += count
            }
        }
    }
}
