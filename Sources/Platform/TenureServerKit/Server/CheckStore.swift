import Synchronization
import TenureStore

/// Checks the store for damage, one table per hour, and logs the damage.
///
/// Without these checks, damage could stay unnoticed. For example, if an index lacks a row, a valid license counts as
/// unknown.
final class CheckStore: Service {
    private let store: any Store
    private let all: [TableShape]
    private let log: any Log
    private let state = Mutex(State())

    private struct State {
        /// The number of checks so far, which determines the next table.
        var next = 0
        var tables: Set<String> = []
    }

    init(_ store: any Store, _ tables: [TableShape], log: any Log) {
        self.store = store
        all = tables
        self.log = log
    }

    var name: String { "store_check" }

    /// The tables that were damaged at their last check.
    var tables: [String] { state.withLock { $0.tables.sorted() } }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        guard !all.isEmpty else { return .after(Self.rest) }
        let table = state.withLock { state in
            // The number increases even if the check fails, so that a table that can't be checked doesn't block the
            // others.
            defer { state.next += 1 }
            return all[state.next % all.count]
        }
        let faults: [String]
        do throws(StoreError) {
            faults = try await store.integrityFaults(of: table)
        } catch {
            // The server is stopping and has cancelled the check, so the error isn't damage.
            if Task.isCancelled { return .after(Self.rest) }
            // Damage can also make the check itself fail.
            guard error.code == .corrupt else { throw ServerError(error) }
            faults = [error.cause ?? error.message]
        }
        state.withLock { state in
            if faults.isEmpty { state.tables.remove(table.name) } else { state.tables.insert(table.name) }
        }
        if !faults.isEmpty {
            log.write(
                LogLine(
                    .error, "store_damaged",
                    [
                        ("table", .text(table.name)),
                        (
                            "text",
                            .text("\(faults.prefix(3).joined(separator: "; ")). Run `tenure doctor` to see what to do.")
                        ),
                    ]))
        }
        return .after(Self.rest)
    }

    private static let rest = Duration.seconds(3_600)
}
