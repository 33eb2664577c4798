import Synchronization
import TenureCore
public import TenureServerKit
public import TenureStore
import TenureThreads

/// Keeps the store's mark of time, and while the clock is in doubt says so and waits for the operator's word.
public final class KeepTime: Service {
    private let clock: WatchedClock
    private let store: any Store
    private let log: any Log
    private let state: Mutex<State>

    private struct State {
        /// What the operator had accepted when it was last looked at.
        var accepted: Timestamp?
        /// The latest time that was written; nil before the first.
        var written: Timestamp?
        /// When the log was last told of the doubt.
        var told: SteadyTime?
        /// When it was last told that the disk is full.
        var toldFull: SteadyTime?
    }

    /// Keeps the time of a store.
    /// - Parameters:
    ///   - mark: What it knew when the clock began to be watched.
    public init(_ clock: WatchedClock, in store: any Store, since mark: ClockMark, log: any Log) {
        self.clock = clock
        self.store = store
        self.log = log
        state = Mutex(State(accepted: mark.accepted))
    }

    /// Begins anew with what the store knew when it was connected.
    public func begin(since mark: ClockMark) {
        state.withLock { $0.accepted = mark.accepted }
    }

    /// Names it.
    public var name: String { "clock" }

    /// Compares with the database's clock; then raises the mark, or looks whether the clock was accepted.
    public func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        try await asking { () async throws(StoreError) in try await clock.compare(with: store) }
        if clock.doubt != nil { try await hear() }
        if let doubt = clock.doubt {
            tell(
                \.told, "clock_in_doubt", "\(doubt.message) \(doubt.cure)",
                [("doubt", .text(doubt.kind.rawValue)), ("seconds", .number(doubt.seconds))])
            return .after(.seconds(2))
        }
        if state.withLock({ $0.told.take() }) != nil { log.write(LogLine(.info, "clock_trusted")) }
        try await mark()
        return .after(.seconds(5))
    }

    /// Tells of what is wrong once a minute while it lasts.
    private func tell(
        _ last: WritableKeyPath<State, SteadyTime?>, _ event: String, _ text: String,
        _ fields: [(name: StaticString, value: LogLine.Fact)] = []
    ) {
        let isDue = state.withLock { state in
            if let told = state[keyPath: last], told.advanced(by: .seconds(60)) > .now() { return false }
            state[keyPath: last] = .now()
            return true
        }
        if isDue { log.write(LogLine(.error, event, fields + [("text", .text(text))])) }
    }

    /// Marks the time of the end.
    public func finish() async throws(ServerError) {
        if clock.doubt == nil { try await mark(evenIfFresh: true) }
    }

    private func mark(evenIfFresh: Bool = false) async throws(ServerError) {
        let now = clock.now()
        let written = state.withLock { $0.written }
        if !evenIfFresh, let written, written <= now, written.seconds(until: now) < Self.markEvery { return }
        do throws(StoreError) {
            let accepted = try await ClockMark.raise(to: now, in: store, agreeing: clock.isNearDatabase)
            state.withLock { state in
                state.written = now
                // What was said while nothing was in doubt is no answer to a later doubt.
                state.accepted = accepted
                state.toldFull = nil
            }
        } catch {
            // Not a failed turn, after which the next would come late: room is noticed as soon as there is some.
            guard error.code == .full else { throw ServerError(error) }
            tell(\.toldFull, "store_full", error.message)
        }
    }

    private func hear() async throws(ServerError) {
        let mark = try await asking { () async throws(StoreError) in try await ClockMark.read(from: store) }
        let isNew = state.withLock { state in
            defer { state.accepted = mark.accepted }
            return state.accepted != mark.accepted
        }
        if isNew, let accepted = mark.accepted { clock.accept(accepted) }
    }

    /// How old the mark gets while a server runs, in seconds. It is also how a disk that is full is noticed where nothing
    /// else is written, and one that has room again.
    private static let markEvery: Int64 = 5
}

/// A service that rests while the clock is in doubt: what it does is by dates.
struct Resting: Service {
    let service: any Service
    let clock: any WallClock

    var name: String { service.name }
    var role: Role? { service.role }
    var alarm: String { service.alarm }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        clock.doubt == nil ? try await service.turn(as: leader) : .after(.seconds(5))
    }

    func finish() async throws(ServerError) {
        if clock.doubt == nil { try await service.finish() }
    }
}
