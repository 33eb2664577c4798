import Glibc

/// Accepts one connection, reads a request's head, sends the given bytes unchanged and closes.
final class RawServer: Sendable {
    let url: String

    init(answering text: String) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                precondition(bind(listener, address, length) == 0 && listen(listener, 8) == 0)
                precondition(getsockname(listener, address, &length) == 0)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        url = "http://127.0.0.1:\(port)/"
        Task.detached {
            await onOwnThread {
                let connection = accept(listener, nil, nil)
                var bytes = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &bytes, bytes.count, 0)
                _ = Array(text.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                close(connection)
                close(listener)
            }
        }
    }
}
