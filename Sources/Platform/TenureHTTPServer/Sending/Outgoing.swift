import CEpoll
import Glibc
import TenureFiles
import TenureHTTP

/// Bytes that the client hasn't received completely: a head, and a body in memory or in a file.
struct Outgoing {
    enum Progress {
        /// Everything was handed to the system.
        case complete
        /// The socket takes no more now.
        case blocked
        /// The client is gone, or the file has become shorter.
        case failed
    }

    /// A body of at most this size is sent together with its head.
    private static let smallBody = 16 << 10
    /// The most bytes of a file that are sent in a row, so that other connections get their turn.
    private static let mostFileBytes = 128 << 10

    private var bytes: [UInt8]
    private var sent = 0
    /// Whether `bytes` still has the memory that the initializer got, not that of the body.
    private var areFirst = true
    private var body: Response.Body?

    /// Creates a value that sends bytes and then a body.
    init(_ bytes: consuming [UInt8], body: Response.Body? = nil) {
        self.bytes = bytes
        self.body = body
        if case .bytes(let body) = body, body.count <= Self.smallBody {
            self.bytes.append(contentsOf: body)
            self.body = nil
        }
        // Otherwise the head would wait for bytes that never follow.
        if case .file(let part) = body, part.range.isEmpty { self.body = nil }
    }

    /// Sends as much as the socket takes.
    mutating func send(to descriptor: Int32) -> Progress {
        while true {
            while sent < bytes.count {
                let flags = Int32(MSG_NOSIGNAL) | (body == nil ? 0 : Int32(MSG_MORE))
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                    return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
                }
                if count < 0 { return Self.progress(after: errno) }
                sent += count
            }
            switch body {
            case .bytes(let next):
                (bytes, sent, body, areFirst) = (next, 0, nil, false)
            case .file(let part):
                return sendFile(part, to: descriptor)
            case nil:
                return .complete
            }
        }
    }

    /// Returns the memory of the first bytes for the next response.
    mutating func takeMemory() -> [UInt8] {
        defer { bytes = [] }
        return areFirst ? bytes : []
    }

    private mutating func sendFile(_ part: FilePart, to descriptor: Int32) -> Progress {
        guard !part.range.isEmpty else { return .complete }
        var offset = off_t(part.range.lowerBound)
        let most = Int(min(Int64(Self.mostFileBytes), part.range.upperBound - part.range.lowerBound))
        let count = unsafe sendfile(descriptor, part.file.number, &offset, most)
        if count < 0 { return Self.progress(after: errno) }
        if count == 0 { return .failed }
        let rest = Int64(offset)..<part.range.upperBound
        body = rest.isEmpty ? nil : .file(FilePart(part.file, rest))
        return rest.isEmpty ? .complete : .blocked
    }

    private static func progress(after error: Int32) -> Progress {
        error == EAGAIN || error == EINTR ? .blocked : .failed
    }
}
