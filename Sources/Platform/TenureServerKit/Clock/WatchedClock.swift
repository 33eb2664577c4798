import Synchronization
public import TenureCore
public import TenureStore

/// The machine's wall clock, checked at each use against a monotonic clock.
public final class WatchedClock: WallClock {
    private let read: @Sendable () -> ClockWatch.Sample
    private let watch: Mutex<ClockWatch>

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - mark: The store's record of time; `nil` if it has none to offer.
    ///   - read: Reads both clocks at one moment.
    public init(mark: ClockWatch.Mark?, _ read: @escaping @Sendable () -> ClockWatch.Sample) {
        self.read = read
        watch = Mutex(ClockWatch(read(), mark: mark?.seen, apart: mark?.apart ?? 0))
    }

    /// The current time.
    ///
    /// While the wall clock is untrusted, see ``ClockWatch/time(at:)``.
    public func now() -> Timestamp {
        looking { watch, reading in watch.time(at: reading) }
    }

    /// Why the wall clock can't be trusted; `nil` while it can.
    public var doubt: ClockDoubt? {
        looking { watch, _ in watch.doubt }
    }

    /// Restarts with the store's mark, after the store was connected.
    public func begin(since mark: ClockWatch.Mark) {
        watch.withLock { $0 = ClockWatch(read(), mark: mark.seen, apart: mark.apart ?? 0) }
    }

    /// Compares with the clock of the store's machine, if it's another one.
    ///
    /// Throws `StoreError`.
    public func compare(with store: any Store) async throws(StoreError) {
        let requested = read()
        guard let seconds = try await store.time() else { return }
        let reading = read()
        // A response that took long, for example while the machine slept, carries an old time.
        guard reading.steady - requested.steady <= Self.longestWay else { return }
        watch.withLock { $0.look(reading, database: Timestamp(seconds: seconds)) }
    }

    /// Trusts the wall clock if it's near the accepted time.
    ///
    /// The operator of another machine may have meant another clock.
    func accept(_ accepted: Timestamp) {
        let reading = read()
        guard accepted.seconds(until: reading.wall).magnitude <= UInt64(ClockWatch.tolerance) else { return }
        watch.withLock { $0.accept(at: reading) }
    }

    /// Whether it agreed with the database's clock at the last comparison.
    var isNearDatabase: Bool { watch.withLock { $0.isNearDatabase } }

    /// How long the database's response may take, in seconds; less than the tolerance between two clocks.
    private static let longestWay: Int64 = 60

    private func looking<Answer>(_ ask: (ClockWatch, ClockWatch.Sample) -> Answer) -> Answer {
        watch.withLock { watch in
            // Read under the lock, because two readings in the wrong order would look like a step.
            let reading = read()
            watch.look(reading)
            return ask(watch, reading)
        }
    }
}
