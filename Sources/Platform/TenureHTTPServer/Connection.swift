import CMicrohttpd
import Glibc
import Synchronization
import TenureHTTP
import TenureThreads

/// An open connection for the deadline sweep: its descriptor and the time at which to cut it off.
final class Connection: Sendable {
    let descriptor: Int32
    let peer: Request.Peer
    private let cut: Atomic<UInt64>

    init(descriptor: Int32, peer: Request.Peer, cutAt: SteadyTime) {
        self.descriptor = descriptor
        self.peer = peer
        cut = Atomic(cutAt.nanoseconds)
    }

    /// When the client must have sent its request; `never` while the server is processing one.
    var cutAt: SteadyTime {
        get { SteadyTime(nanoseconds: cut.load(ordering: .relaxed)) }
        set { cut.store(newValue.nanoseconds, ordering: .relaxed) }
    }
}

/// All open connections of a server.
///
/// A connection leaves the table before its descriptor is closed, and is cut off only under the table's lock. A closed
/// descriptor that the system has reused is therefore never touched.
final class ConnectionTable: Sendable {
    private struct Entry {
        let connection: Connection
        /// The deadline in effect when the client was last seen to have hung up.
        var hungUp: SteadyTime?
    }

    private let open = Mutex<[ObjectIdentifier: Entry]>([:])

    func add(_ connection: Connection) {
        open.withLock { $0[ObjectIdentifier(connection)] = Entry(connection: connection) }
    }

    func remove(_ connection: Connection) {
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Shuts down connections that are past their deadline, or whose client hung up in the middle of a request.
    ///
    /// The event thread then sees them closed. libmicrohttpd misses a hang-up that arrives together with data, and
    /// would keep the connection until its idle timeout. A hang-up counts once two sweeps in a row detect it, because
    /// in between the event thread can process what it has read.
    /// - Parameter isLast: Whether to shut down every client that is still sending or silent, regardless of its
    ///   deadline.
    func sweep(at now: SteadyTime, isLast: Bool = false) {
        open.withLock { open in
            for key in open.keys {
                guard let entry = open[key], entry.connection.cutAt != .never else { continue }
                let cutAt = entry.connection.cutAt
                let hasHungUp = Self.hasHungUp(entry.connection.descriptor)
                if isLast || cutAt <= now || (hasHungUp && entry.hungUp == cutAt) {
                    entry.connection.cutAt = .never
                    _ = shutdown(entry.connection.descriptor, Int32(SHUT_RDWR))
                } else if hasHungUp || entry.hungUp != nil {
                    open[key]?.hungUp = hasHungUp ? cutAt : nil
                }
            }
        }
    }

    /// Whether the client has closed the connection and there is nothing left to read.
    private static func hasHungUp(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
}

extension Request.Peer {
    /// Converts a socket address; any address that isn't an IP address counts as a local process.
    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address = unsafe address else {
            self = .local
            return
        }
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET:
            let number = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            self = .host(IPAddress(version4: number))
        case AF_INET6:
            self = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                unsafe withUnsafeBytes(of: address.pointee.sin6_addr) { bytes in
                    .host(
                        IPAddress(
                            high: UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                            low: UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))))
                }
            }
        default: self = .local
        }
    }
}
