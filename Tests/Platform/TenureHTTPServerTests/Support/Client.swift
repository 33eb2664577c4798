import Glibc
import Synchronization
import TenureHTTP
import TenureHTTPServer

/// A plain socket to a server. Every read has a timeout, so that a lost response fails the test instead of blocking it.
final class Client: Sendable {
    let descriptor: Int32
    private let pending = Mutex<[UInt8]>([])
    private let isOpen = Atomic(true)

    init(_ address: HTTPServer.Address) throws {
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        switch address {
        case .tcp(_, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try Self.connect(descriptor, &name)
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            try Self.connect(descriptor, &name)
        }
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    struct Refused: Error {
        let number: Int32
    }

    private static func connect<Name>(_ descriptor: Int32, _ name: inout Name) throws {
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
            }
        }
        if result != 0 {
            let number = errno
            _ = Glibc.close(descriptor)
            throw Refused(number: number)
        }
    }

    deinit { close() }

    func close() {
        if isOpen.exchange(false, ordering: .relaxed) { _ = Glibc.close(descriptor) }
    }

    /// Closes the connection with a TCP reset, as a crashed client does.
    func abort() {
        var off = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Sends bytes. Returns false if the server has closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        await onOwnThread { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }

    @discardableResult
    func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// Reads one response, or returns `nil` if the server closes before it is complete.
    func receive(toHead: Bool = false) async -> Answer? {
        await onOwnThread { [self] in
            while true {
                if let end = pending.withLock({ Self.headEnd($0) }) {
                    let head = pending.withLock { Array($0[..<end]) }
                    guard var answer = Answer(head: head) else { return nil }
                    let length = toHead || answer.status < 200 ? 0 : Int(answer.headers["Content-Length"] ?? "0") ?? 0
                    while pending.withLock({ $0.count < end + length }) { if !fill() { return nil } }
                    pending.withLock {
                        answer.body = Array($0[end..<(end + length)])
                        $0.removeFirst(end + length)
                    }
                    return answer
                }
                if !fill() { return nil }
            }
        }
    }

    /// Waits until the server closes. Returns false if bytes arrive or the timeout passes.
    func sawEnd() async -> Bool {
        await onOwnThread { [descriptor] in
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, 0)
            return count == 0 || (count < 0 && errno == ECONNRESET)
        }
    }

    func ask(_ text: String) async -> Answer? {
        await send(text)
        return await receive()
    }

    private func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 { pending.withLock { $0.append(contentsOf: bytes[..<count]) } }
        return count > 0
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 0...(bytes.count - 4) where bytes[index..<(index + 4)].elementsEqual([13, 10, 13, 10]) {
            return index + 4
        }
        return nil
    }
}

/// Returns the text of a request with a body.
func post(_ path: String, _ body: String = "", _ fields: String...) -> String {
    let lines = ["POST \(path) HTTP/1.1", "Host: test", "Content-Length: \(body.utf8.count)"] + fields
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// Returns the text of a request without a body.
func get(_ path: String, _ fields: String...) -> String {
    (["GET \(path) HTTP/1.1", "Host: test"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
}
