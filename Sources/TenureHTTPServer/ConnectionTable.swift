import Glibc
import Synchronization

/// All open connections of a server.
///
/// A connection leaves the table before its descriptor is closed, and is cut off only under the table's lock: a
/// descriptor that was closed and given to someone else is never touched.
final class ConnectionTable: Sendable {
    private let open = Mutex<[ObjectIdentifier: Connection]>([:])

    func add(_ connection: Connection) {
        open.withLock { $0[ObjectIdentifier(connection)] = connection }
    }

    func remove(_ connection: Connection) {
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Ends every connection that is past its moment; its event thread then sees it closed.
    func cutOff(at now: Moment) {
        open.withLock { open in
            for connection in open.values where connection.cutAt <= now {
                connection.cutAt = .never
                _ = shutdown(connection.descriptor, Int32(SHUT_RDWR))
            }
        }
    }
}
