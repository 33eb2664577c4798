import Synchronization
import TenureCommandLine
import TenureCore
public import TenureStore
import TenureThreads

/// Updates the store's clock mark (``ClockWatch/Mark``).
///
/// While the clock is untrusted, the service logs the doubt and checks whether the operator has accepted the clock.
public final class KeepTime: Service {
    private let clock: WatchedClock
    private let store: any Store
    private let probe: WriteProbe
    private let boot: String?
    private let log: any Log
    private let state: Mutex<State>

    private struct State {
        /// When the operator last accepted the clock, as of the last read of the mark; `nil` for never.
        var accepted: Timestamp?
        /// The latest time that this server wrote; `nil` before the first write.
        var written: Timestamp?
        /// When the doubt was last logged.
        var lastNote: SteadyTime?
        /// When a full disk was last logged.
        var toldFull: SteadyTime?
    }

    /// Creates the service for a store.
    ///
    /// - Parameters:
    ///   - mark: The store's mark at the start.
    ///   - probe: Receives the outcome of each write, which shows whether the store accepts writes.
    ///   - boot: The id of the host's current start.
    package init(
        _ clock: WatchedClock, in store: any Store, since mark: ClockWatch.Mark, probe: WriteProbe = WriteProbe(),
        boot: String? = Stopwatch.bootIdentifier, log: any Log
    ) {
        self.clock = clock
        self.store = store
        self.probe = probe
        self.boot = boot
        self.log = log
        state = Mutex(State(accepted: mark.accepted))
    }

    /// Uses the store's mark instead of the initial one, once the store is connected.
    public func begin(since mark: ClockWatch.Mark) {
        state.withLock { $0.accepted = mark.accepted }
    }

    /// The service's name, `clock`.
    public var name: String { "clock" }

    /// Five seconds, so that the next turn soon shows whether the store accepts writes again.
    public var longestPause: Duration { .seconds(5) }

    /// Compares the wall clock with the database's clock, then updates the mark.
    ///
    /// While the clock is untrusted, it checks whether the operator has accepted the clock, and doesn't update the
    /// mark.
    public func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let isCompared: Bool
        var failure: StoreError?
        do throws(StoreError) {
            isCompared = try await clock.compare(with: store)
        } catch {
            (isCompared, failure) = (true, error)
        }
        if clock.doubt != nil { try await hear() }
        if let doubt = clock.doubt {
            tell(
                \.lastNote, "clock_in_doubt", "\(doubt.message) \(doubt.cure)",
                [("doubt", .text(doubt.kind.rawValue)), ("seconds", .number(doubt.seconds))])
            return .after(.seconds(2))
        }
        if state.withLock({ $0.lastNote.take() }) != nil { log.write(LogLine(.info, "clock_trusted")) }
        // With a database that has a clock, commands compare against that clock, and servers of other hosts share the
        // store. Therefore the host's reading is stored only for other stores.
        try await mark(withReading: !isCompared)
        if let failure { throw ServerError(failure) }
        return .after(.seconds(Self.interval))
    }

    /// Logs a problem, at most once a minute.
    private func tell(
        _ last: WritableKeyPath<State, SteadyTime?>, _ event: String, _ text: String,
        _ fields: [(name: StaticString, value: LogLine.Fact)] = []
    ) {
        let isDue = state.withLock { state in
            if let lastNote = state[keyPath: last], lastNote.advanced(by: .seconds(60)) > .now() { return false }
            state[keyPath: last] = .now()
            return true
        }
        if isDue { log.write(LogLine(.error, event, fields + [("text", .text(text))])) }
    }

    /// Updates the mark a last time.
    public func finish() async throws(ServerError) {
        // The clock may be corrected after a normal stop, so the mark has no reading that would make this look like a
        // step.
        try await mark(isLast: true, withReading: false)
    }

    private func mark(isLast: Bool = false, withReading: Bool) async throws(ServerError) {
        guard let reading = clock.trusted else { return }
        let (now, written) = (reading.wall, state.withLock { $0.written })
        // Both times are whole seconds, so the difference may be one second less than the pause between the turns.
        if !isLast, let written, written <= now, written.seconds(until: now) < Self.interval - 1 { return }
        let hostReading = withReading ? boot.map { HostReading(boot: $0, reading) } : nil
        probe.begin()
        do throws(StoreError) {
            // If a crash loses it, the store's mark is a little older, and the next start compares with that. So an
            // idle server doesn't make the disk sync every few seconds.
            let accepted = try await ClockWatch.Mark.raise(
                to: now, reading: hostReading, in: store, agreeing: clock.isNearDatabase, lossy: !isLast)
            probe.end()
            state.withLock { state in
                state.written = now
                // Remembered here, so that an acceptance while the clock is trusted doesn't end a later doubt.
                state.accepted = accepted
                state.toldFull = nil
            }
        } catch {
            probe.end(error)
            // The turn doesn't fail, because the pause after a failure would delay noticing that space is free again.
            guard error.code == .full else { throw ServerError(error) }
            tell(\.toldFull, "store_full", error.message)
        }
    }

    private func hear() async throws(ServerError) {
        let mark = try await ClockWatch.Mark.read(from: ServerStore(store))
        let isNew = state.withLock { state in
            defer { state.accepted = mark.accepted }
            return state.accepted != mark.accepted
        }
        if isNew, let accepted = mark.accepted { clock.accept(accepted) }
    }

    /// How often a running server updates the mark, in seconds: an even number, because most services wake at even
    /// seconds (``ServiceThread``).
    ///
    /// On an idle server, these writes also detect that the disk is full or has space again.
    private static let interval: Int64 = 6
}
