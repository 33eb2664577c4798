import Glibc

/// A keep-alive connection that sends one request at a time.
struct Wire: Sendable {
    private let descriptor: Int32
    private var answer: [UInt8] = []

    /// Connects to a local port. Returns `nil` if no server listens there.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        guard code == 0 else { return nil }
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends a request and waits for the complete response. Returns its status, or `nil` if the connection broke.
    mutating func exchange(_ request: [UInt8]) -> Int? {
        let sent = unsafe request.withUnsafeBytes { bytes in
            unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { return nil }
        answer.removeAll(keepingCapacity: true)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            answer += buffer[..<count]
            if let status = statusWhenWhole() { return status }
        }
    }

    /// Returns the status once the head and body are complete.
    private func statusWhenWhole() -> Int? {
        var end = 3
        while end < answer.count {
            if answer[end] == 0x0A, answer[end - 1] == 0x0D, answer[end - 2] == 0x0A { break }
            end += 1
        }
        guard end < answer.count else { return nil }
        let head = String(decoding: answer[..<end], as: UTF8.self)
        var length = 0
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:") {
            length = Int(line.dropFirst(15).drop { $0 == " " }) ?? 0
        }
        guard answer.count >= end + 1 + length else { return nil }
        return Int(head.dropFirst(9).prefix(3)) ?? 0
    }
}
