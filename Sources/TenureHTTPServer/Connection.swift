import Glibc
import Synchronization
import TenureThreads

/// One open connection as the sweep sees it: its descriptor, and when to cut it off.
final class Connection: Sendable {
    let descriptor: Int32
    private let cut: Atomic<UInt64>

    init(descriptor: Int32, cutAt: SteadyTime) {
        self.descriptor = descriptor
        cut = Atomic(cutAt.nanoseconds)
    }

    /// When the client must have sent what it is sending; `never` while the server is at work.
    var cutAt: SteadyTime {
        get { SteadyTime(nanoseconds: cut.load(ordering: .relaxed)) }
        set { cut.store(newValue.nanoseconds, ordering: .relaxed) }
    }
}

/// All open connections of a server.
///
/// A connection leaves the table before its descriptor is closed, and is cut off only under the table's lock: a
/// descriptor that was closed and given to someone else is never touched.
final class ConnectionTable: Sendable {
    private struct Entry {
        let connection: Connection
        /// What the client was late for when it was last seen to have hung up.
        var hungUp: SteadyTime?
    }

    private let open = Mutex<[ObjectIdentifier: Entry]>([:])

    func add(_ connection: Connection) {
        open.withLock { $0[ObjectIdentifier(connection)] = Entry(connection: connection) }
    }

    func remove(_ connection: Connection) {
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Ends every connection that is past its moment, or whose client hung up in the middle of a request; its event
    /// thread then sees it closed.
    ///
    /// libmicrohttpd misses a hang-up that comes together with data, and would keep the connection until it is idle.
    /// It is looked for here, and believed when two looks in a row find it: between them the event thread has had
    /// time to take what it had read.
    func sweep(at now: SteadyTime) {
        open.withLock { open in
            for key in open.keys {
                guard let entry = open[key], entry.connection.cutAt != .never else { continue }
                let cutAt = entry.connection.cutAt
                let hasHungUp = Self.hasHungUp(entry.connection.descriptor)
                if cutAt <= now || (hasHungUp && entry.hungUp == cutAt) {
                    entry.connection.cutAt = .never
                    _ = shutdown(entry.connection.descriptor, Int32(SHUT_RDWR))
                } else if hasHungUp || entry.hungUp != nil {
                    open[key]?.hungUp = hasHungUp ? cutAt : nil
                }
            }
        }
    }

    /// Whether the other end has closed and left nothing to read.
    private static func hasHungUp(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
}
