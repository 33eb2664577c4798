import Synchronization
import TenureStore

/// Saves what the server remembers of its store's history, and follows what is recorded about lost events.
///
/// The record changes together with the catalog's version, so an idle server reads nothing.
final class KeepHistory: Service {
    private let detector: RewindDetector
    private let catalog: CatalogCache
    private let store: any Store
    /// The catalog version at which the record was read last.
    private let read = Mutex<Int64?>(nil)

    init(_ detector: RewindDetector, catalog: CatalogCache, store: any Store) {
        self.detector = detector
        self.catalog = catalog
        self.store = store
    }

    var name: String { "store_history" }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        var version = catalog.current.version
        let isRewound = detector.rewound != nil
        if isRewound { version = try await catalog.refreshIfChanged().version }
        if isRewound || read.withLock({ $0 }) != version {
            let plan = HistorySettings.plan
            let results = try await asking { try await store.fetch(plan.bind()) }
            detector.adopt(plan.queries.id(in: results), plan.queries.rewound(in: results))
            read.withLock { $0 = version }
        }
        try saveIfChanged()
        return .after(Self.interval)
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
