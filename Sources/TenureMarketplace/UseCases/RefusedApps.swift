import Synchronization
import TenureCore
import TenureServerKit
import TenureStore

/// Bounds the events of apps that were asked for and not licensed: at an open marketplace anybody may ask.
///
/// So many a minute and tenant are written one by one, in the transaction that refused them. Those beyond are counted by
/// their reasons, and written as one event for each reason in the next minute; a crash loses at most that. It is this
/// process's own: each server on a store counts for itself.
final class RefusedApps: Service {
    private let store: any Store
    private let clock: any WallClock
    private let state = Mutex(State())

    private struct State {
        var minute: Int64 = 0
        var written: [TenantID: Int] = [:]
        var beyond: [TenantID: [String: Int64]] = [:]
    }

    /// How many of a tenant's are written in a minute.
    static let perMinute = 60

    init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    var name: String { "refused_apps" }

    /// Sets room aside for the events of one request: for how many there is.
    func room(for wanted: Int, of tenant: TenantID) -> Int {
        let minute = clock.now().seconds / 60
        return state.withLock { state in
            if state.minute != minute {
                state.minute = minute
                state.written = [:]
            }
            let room = min(wanted, max(0, Self.perMinute - state.written[tenant, default: 0]))
            state.written[tenant, default: 0] += room
            return room
        }
    }

    /// Gives back the room that was not needed, and counts what there was none for, by reason.
    func settle(unused: Int, beyond: [String: Int64], of tenant: TenantID) {
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

    /// Writes what was counted; a count that cannot be written is counted on.
    private func write() async throws(ServerError) {
        let beyond = state.withLock { state in
            defer { state.beyond = [:] }
            return state.beyond
        }
        let now = clock.now()
        let saves = beyond.flatMap { tenant, reasons in
            reasons.sorted { $0.key < $1.key }.map { reason, count in
                Save.event(
                    Event(
                        .appLicenseRefused, at: now, actor: .device, about: .init(tenant: tenant),
                        facts: [.init("reason", .text(reason)), .init("count", .number(count))]))
            }
        }
        if saves.isEmpty { return }
        do throws(ServerError) {
            try await asking { () async throws(StoreError) in try await store.perform(Change { Saving((), saves) }) }
        } catch {
            state.withLock { $0.beyond.merge(beyond) { $0.merging($1, uniquingKeysWith: +) } }
            throw error
        }
    }
}
