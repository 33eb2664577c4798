import CMicrohttpd
import Glibc
import TenureHTTP

/// Keeps from the library what it would answer in words of its own, on one connection; used by its event thread only.
///
/// libmicrohttpd 0.9.75 answers a bad length, a version that it does not know and a head that is too large with a page
/// of HTML, the first with two heads, and reads fields that go on in the next line. It shows nobody what it has
/// received before it has judged it, so this looks at the bytes while they are received.
final class HeadGuard {
    let connection: Connection
    private let shared: Shared
    private var scanner: HeadScanner
    private var fault: HeadScanner.Fault?
    /// How many requests were answered.
    private var answered = 0
    private var isAnswered = false
    private var discarded = 0

    init(_ connection: Connection, shared: Shared) {
        self.connection = connection
        self.shared = shared
        scanner = HeadScanner(limit: shared.configuration.headerLimit)
    }

    /// Receives what the library may read: as `recv`, without what stands in and behind a head at fault.
    func receive(_ buffer: UnsafeMutableRawPointer?, _ count: Int, _ flags: Int32, id: () -> String) -> Int {
        guard fault == nil else { return unsafe discard(buffer, count) }
        let received = unsafe recvfrom(connection.descriptor, buffer, count, flags, nil, nil)
        guard received > 0 else { return received }
        guard let found = unsafe scanner.scan(UnsafeRawBufferPointer(start: buffer, count: received)) else {
            return received
        }
        fault = found
        // Requests before it are answered first.
        if found.offset > 0 { return found.offset }
        if answered == scanner.heads { answer(id: id()) }
        return unsafe discard(buffer, count)
    }

    /// The library is done with a request: a head at fault that came behind it is answered now.
    /// - Parameter closing: Whether the answer was the connection's last.
    func requestEnded(closing: Bool, id: () -> String) {
        answered += 1
        if fault != nil, !isAnswered, !closing, answered == scanner.heads { answer(id: id()) }
    }

    /// Answers and says goodbye. What the client still sends is read, or its system would throw the answer away.
    private func answer(id: String) {
        guard let fault else { return }
        isAnswered = true
        let target = Target(bytes: scanner.target)
        let request = Request(
            method: String(decoding: scanner.method, as: UTF8.self), path: target.path, query: target.query, id: id,
            peer: connection.peer)
        let bytes = shared.rejected(Rejection(status: fault.status, request: request)).lastBytes(on: .now)
        _ = unsafe bytes.withUnsafeBytes { bytes in
            unsafe send(connection.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        _ = shutdown(connection.descriptor, Int32(SHUT_WR))
    }

    /// Reads and throws away all that is there: 0 at its end, or when it has become too much; else -1 and `EAGAIN`.
    private func discard(_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        while true {
            let received = unsafe recvfrom(connection.descriptor, buffer, count, Int32(MSG_DONTWAIT), nil, nil)
            guard received > 0 else { return received }
            discarded += received
            if discarded > shared.configuration.discardLimit { return 0 }
        }
    }
}

extension HeadGuard {
    /// Makes libmicrohttpd receive through the guards of its event threads, once in a process; false when this build of it
    /// receives some other way, and then it answers such heads itself.
    ///
    /// The library has no option for it, so its reference to the system's `recv` is changed; nobody else's is.
    static let isAtTheDoor: Bool =
        unsafe tenure_mhd_receive_with { descriptor, buffer, count, flags in
            guard let worker = Worker.ofThisThread, flags & Int32(MSG_PEEK) == 0,
                let head = worker.guards[descriptor]
            else { return unsafe recvfrom(descriptor, buffer, count, flags, nil, nil) }
            return unsafe head.receive(buffer, count, flags) { worker.ids.next() }
        } == 1
}
