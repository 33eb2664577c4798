import Synchronization
import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// Limits the number of events for refused apps, because anyone may send requests to an open marketplace.
///
/// Up to a limit per minute and tenant, each event is written in the transaction of its refusal. Further refusals are
/// counted by reason; each reason is then written as one event within a minute. A crash loses at most that minute. Each
/// server process counts separately.
final class RefusedApps: Service {
    private let store: ServerStore
    private let clock: any WallClock
    private let state = Mutex(State())

    private struct State {
        var minute: Int64 = 0
        var written: [TenantID: Int] = [:]
        var beyond: [TenantID: [String: Int64]] = [:]
    }

    /// The maximum number of individual events per tenant and minute.
    static let perMinute = 60

    init(store: ServerStore, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    var name: String { "refused_apps" }

    /// Reserves events for one request, and returns how many events the request may write.
    func room(for count: Int, of tenant: TenantID) -> Int {
        let minute = clock.now().seconds / 60
        return state.withLock { state in
            if state.minute != minute {
                state.minute = minute
                state.written = [:]
            }
            let room = min(count, max(0, Self.perMinute - state.written[tenant, default: 0]))
            state.written[tenant, default: 0] += room
            return room
        }
    }

    /// Releases unused reservations, and counts the refusals without a reservation by reason.
    func refund(unused: Int, beyond: [String: Int64], of tenant: TenantID) {
        state.withLock { state in
            state.written[tenant, default: 0] = max(0, state.written[tenant, default: 0] - unused)
            guard !beyond.isEmpty else { return }
            state.beyond[tenant, default: [:]].merge(beyond, uniquingKeysWith: +)
        }
    }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        try await write()
        return .after(.seconds(60))
    }

    func finish() async throws(ServerError) { try await write() }

    /// Writes the counts; if that fails, restores them for the next attempt.
    private func write() async throws(ServerError) {
        let beyond = state.withLock { state in
            defer { state.beyond = [:] }
            return state.beyond
        }
        let now = clock.now()
        let saves = beyond.flatMap { tenant, reasons in
            reasons.sorted { $0.key < $1.key }.map { reason, count in
                RowWrite.event(
                    Event(
                        .appLicenseRefused, at: now, actor: .device, about: .init(tenant: tenant),
                        facts: [.init("reason", .text(reason)), .init("count", .number(count))]))
            }
        }
        if saves.isEmpty { return }
        do throws(ServerError) {
            try await store.perform(Transaction { TransactionResult((), saves) })
        } catch {
            state.withLock { $0.beyond.merge(beyond) { $0.merging($1, uniquingKeysWith: +) } }
            throw error
        }
    }
}
