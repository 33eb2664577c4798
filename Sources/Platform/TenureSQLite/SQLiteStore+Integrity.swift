import CSQLite
import Synchronization
public import TenureStore

extension SQLiteStore {
    /// Always `nil`, because the file is local.
    public func time() async throws(StoreError) -> Int64? { nil }

    /// Checks pages, indexes against their tables, constraints and references.
    ///
    /// The check of a large table takes minutes. If the task is cancelled, for example because the server stops, the
    /// check soon fails with `.busy`.
    public func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] {
        let sign = StopSign()
        let name = table.map { "('\($0.name)')" } ?? ""
        let outcome = await withTaskCancellationHandler { () async -> Result<[String], StoreError> in
            do throws(StoreError) {
                return .success(
                    try await lists.run { connection in
                        try connection.heeding(sign) { try connection.integrityFaults(name) }
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

/// Signals a running statement to stop.
final class StopSign: Sendable {
    private let raised = Atomic<Bool>(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}

extension Connection {
    fileprivate func integrityFaults(_ name: String) throws(StoreError) -> [String] {
        // Unlike `quick_check`, `integrity_check` finds rows that are missing from an index.
        let pages = try once("PRAGMA integrity_check\(name)") { row in try row.next(String.self) }
        let references = try once("PRAGMA foreign_key_check\(name)") { row in
            let table = try row.next(String.self)
            row.skip()
            return "\(table): a row refers to a missing row of \(try row.next(String.self))"
        }
        return pages.filter { $0 != "ok" } + references
    }

    /// Runs statements that fail with `.busy` once the sign is raised.
    func heeding<Found>(
        _ sign: StopSign, _ body: () throws -> Found
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
            return try storeErrors(body)
        } catch {
            throw sign.isRaised ? Self.givenUp : error
        }
    }

    private static var givenUp: StoreError {
        StoreError(.busy, "The check was canceled, because the program is stopping.")
    }
}
