import Synchronization
import TenureStore

/// Saves the remembered history of the server's store, and follows the store's record of lost events.
///
/// Every change of that record also changes the catalog's version. So an idle server reads nothing here.
final class KeepHistory: Service {
    private let detector: RewindDetector
    private let catalog: CatalogCache
    private let store: ServerStore
    /// The catalog's version when the record was last read.
    private let read = Mutex<Int64?>(nil)

    init(_ detector: RewindDetector, catalog: CatalogCache, store: any Store) {
        self.detector = detector
        self.catalog = catalog
        self.store = ServerStore(store)
    }

    var name: String { "store_history" }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        // Saving comes first, so that confirmed events are saved even if the database is unavailable.
        try saveIfChanged()
        var version = catalog.current.version
        let isRewound = detector.rewound != nil
        if detector.isSuspecting { try await checkForChanges() }
        if isRewound { version = try await catalog.refreshIfChanged().version }
        if isRewound || read.withLock({ $0 }) != version {
            let plan = HistorySettings.plan
            let changes = detector.changes
            let results = try await store.fetch(plan.bind())
            let reading = RewindDetector.Reading(
                id: plan.queries.id(in: results), rewound: plan.queries.rewound(in: results), changes: changes)
            if detector.adopt(reading) { read.withLock { $0 = version } }
        }
        return .after(Self.interval)
    }

    /// Runs an empty transaction on the connection for changes. The check of that connection either records a
    /// suspected loss or dismisses it.
    private func checkForChanges() async throws(ServerError) {
        try await store.perform(Transaction(HistorySettings.plan.bind()) { _ in TransactionResult(()) })
    }

    func finish() async throws(ServerError) { try saveIfChanged() }

    private func saveIfChanged() throws(ServerError) {
        do {
            try detector.saveIfChanged()
        } catch {
            throw ServerError(
                .init("store_history_not_kept"),
                "The last events of the store could not be written to the data folder, so after a restart the server "
                    + "wouldn't notice their loss. Make room in it, or name another with --data DIR.", cause: "\(error)"
            )
        }
    }

    private static let interval = Duration.seconds(2)
}
