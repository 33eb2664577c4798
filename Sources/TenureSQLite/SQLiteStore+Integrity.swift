import CSQLite
import Synchronization
public import TenureStore

extension SQLiteStore {
    /// The file is on this machine.
    public func time() async throws(StoreError) -> Int64? { nil }

    /// Checks pages, indexes against their tables, constraints and references. A task that is cancelled gives up soon: of a
    /// large table it takes minutes, and a server that stops has not so long.
    public func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] {
        let sign = StopSign()
        let name = table.map { "('\($0.name)')" } ?? ""
        let outcome = await withTaskCancellationHandler { () async -> Result<[String], StoreError> in
            do throws(StoreError) {
                return .success(
                    try await lists.run { connection throws(StoreError) in
                        try connection.heeding(sign) { () throws(StoreError) in
                            try connection.integrityFaults(name)
                        }
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            sign.raise()
        }
        return try outcome.get()
    }
}

/// Tells a statement that is under way to stop.
final class StopSign: Sendable {
    private let raised = Atomic<Bool>(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}

extension Connection {
    fileprivate func integrityFaults(_ name: String) throws(StoreError) -> [String] {
        // Unlike the quick check this one finds a row that its index no longer leads to.
        let pages = try once("PRAGMA integrity_check\(name)") { row throws(StoreError) in
            try row.next(String.self)
        }
        let references = try once("PRAGMA foreign_key_check\(name)") { row throws(StoreError) in
            let table = try row.next(String.self)
            row.skip()
            return "\(table): a row names one of \(try row.next(String.self)) that is not there"
        }
        return pages.filter { $0 != "ok" } + references
    }

    /// Runs statements that end when a sign is raised; then fails with `.busy`.
    func heeding<Found>(
        _ sign: StopSign, _ body: () throws(StoreError) -> Found
    ) throws(StoreError) -> Found {
        guard !sign.isRaised else { throw Self.givenUp }
        let context = unsafe Unmanaged.passUnretained(sign).toOpaque()
        unsafe sqlite3_progress_handler(
            handle, 10_000,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<StopSign>.fromOpaque(context).takeUnretainedValue().isRaised ? 1 : 0
            }, context)
        defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
        do throws(StoreError) {
            return try body()
        } catch {
            throw sign.isRaised ? Self.givenUp : error
        }
    }

    private static var givenUp: StoreError {
        StoreError(.busy, "The check was given up before its end, for whoever asked is stopping.")
    }
}
