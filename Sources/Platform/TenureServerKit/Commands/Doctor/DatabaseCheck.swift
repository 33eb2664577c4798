import Synchronization
import TenureCommandLine
import TenureCore
import TenureStore

/// Reports the host of a shared database, and finds events that the database has lost.
///
/// A lost event is one that a server has recorded in this data folder and that the database lacks.
final class DatabaseCheck: Sendable {
    private let folder: HistoryFolder
    private let connected = Mutex<ConnectedStore?>(nil)
    private let lost = Mutex<[TenantID: ClosedRange<Int64>]?>(nil)

    init(_ folder: HistoryFolder) { self.folder = folder }

    /// Observes the first connections to read the host and the lost events. It refuses no connection.
    var observer: ConnectionObserver {
        ConnectionObserver(
            opened: { [self] connection throws(StoreError) in
                if connected.withLock({ $0 == nil }) {
                    let store = try ConnectedStore(connection)
                    connected.withLock { $0 = store }
                }
                // The first connection may be opened before the schema is checked.
                guard connection.purpose == .queries, lost.withLock({ $0 == nil }),
                    let store = connected.withLock({ $0 })
                else { return }
                let comparison = try? EventComparison(of: folder.remembered(of: store.identity).history, on: connection)
                lost.withLock { $0 = comparison?.lost }
            }, appended: { _, _ in })
    }

    /// The findings, once the store has been read; empty for an SQLite store, which has no connections.
    func findings() -> [Finding] {
        guard let store = connected.withLock({ $0 }) else { return [] }
        let remembered = folder.remembered(of: store.identity)
        if let message = FormerPrimary.message(remembered.history.relation(to: store.id, on: store.timeline), store) {
            return [.failure("database", message, cure: FormerPrimary.cure)]
        }
        if let lost = lost.withLock({ $0 }), let count = lost.isEmpty ? nil : lost.values.map(\.count).reduce(0, +) {
            return [
                .failure(
                    "database",
                    "The database on \(store.host) lacks \(count.of("event")) that servers remember. It's a former primary, or "
                        + "it returned to an older state that no server has noticed yet.",
                    cure:
                        "If another host is the primary, stop this one. Otherwise start a server, which lets the events "
                        + "continue above the lost ones, before you run any command that changes something.")
            ]
        }
        let timeline = store.timeline.map { "on timeline \($0.text)" } ?? "whose timeline this role may not read"
        let primary = Finding.ok("database", "the primary is \(store.host), \(timeline)")
        guard let file = remembered.unreadable.first else { return [primary] }
        return [
            primary,
            .note(
                "database", "not compared with what servers remember: \(file) can't be read",
                cure: "Run `tenure doctor` as the server's user."),
        ]
    }
}
