import Synchronization
import TenureServerKit
import TenureStore

/// Checks the store while it is served, a table an hour, and says what is damaged: an index that lost a row makes an honest
/// holder unknown, and nothing else would tell.
final class CheckStore: Service {
    private let store: any Store
    private let all: [TableShape]
    private let log: any Log
    private let state = Mutex(State())

    private struct State {
        /// Which table is next.
        var next = 0
        /// The damaged ones.
        var tables: Set<String> = []
    }

    init(_ store: any Store, _ tables: [TableShape], log: any Log) {
        self.store = store
        all = tables
        self.log = log
    }

    var name: String { "store_check" }

    /// The tables that were found damaged when they were last checked.
    var tables: [String] { state.withLock { $0.tables.sorted() } }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        guard !all.isEmpty else { return .after(Self.rest) }
        let table = state.withLock { state in
            // One that cannot be checked holds up no other.
            defer { state.next += 1 }
            return all[state.next % all.count]
        }
        let faults: [String]
        do throws(StoreError) {
            faults = try await store.integrityFaults(of: table)
        } catch {
            // A server that stops does not wait for the check.
            if Task.isCancelled { return .after(Self.rest) }
            // Some damage cannot even be read to its end.
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
                            .text("\(faults.prefix(3).joined(separator: "; ")). `tenure doctor` says what to do.")
                        ),
                    ]))
        }
        return .after(Self.rest)
    }

    private static let rest = Duration.seconds(3_600)
}
