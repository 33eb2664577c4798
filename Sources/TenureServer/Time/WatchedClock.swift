import Synchronization
public import TenureCore
public import TenureServerKit
public import TenureStore

/// The machine's time of day, watched at each use by a clock that nobody sets.
public final class WatchedClock: WallClock {
    private let read: @Sendable () -> ClockSample
    private let watch: Mutex<ClockWatch>

    /// Begins to watch.
    /// - Parameters:
    ///   - mark: What the store knows of time; nil for nothing.
    ///   - read: Reads both clocks at one moment.
    public init(mark: ClockMark?, _ read: @escaping @Sendable () -> ClockSample) {
        self.read = read
        watch = Mutex(ClockWatch(read(), mark: mark?.seen, apart: mark?.apart ?? 0))
    }

    /// The present moment; after a step what the wall clock would say without it.
    public func now() -> Timestamp {
        looking { watch, reading in watch.time(at: reading) }
    }

    /// Why the wall clock is not trusted; nil while it is.
    public var doubt: ClockDoubt? {
        looking { watch, _ in watch.doubt }
    }

    /// Begins anew with what the store knows of time: it is connected only now.
    public func begin(since mark: ClockMark) {
        watch.withLock { $0 = ClockWatch(read(), mark: mark.seen, apart: mark.apart ?? 0) }
    }

    /// Compares with the clock of the store's machine, if that is another. Throws `StoreError`.
    public func compare(with store: any Store) async throws(StoreError) {
        let asked = read()
        guard let seconds = try await store.time() else { return }
        let reading = read()
        // What was long on its way, as while the machine slept, is the time of then.
        guard reading.steady - asked.steady <= Self.longestWay else { return }
        watch.withLock { $0.look(reading, database: Timestamp(seconds: seconds)) }
    }

    /// Believes the wall clock, if it is near what was accepted: another machine's operator may have meant another clock.
    func accept(_ accepted: Timestamp) {
        let reading = read()
        guard accepted.seconds(until: reading.wall).magnitude <= UInt64(ClockWatch.tolerance) else { return }
        watch.withLock { $0.accept(at: reading) }
    }

    /// Whether it agreed with the database's clock when they were last compared.
    var isNearDatabase: Bool { watch.withLock { $0.isNearDatabase } }

    /// How long the database's word may take, in seconds: a part of what two clocks may part by.
    private static let longestWay: Int64 = 60

    private func looking<Answer>(_ ask: (ClockWatch, ClockSample) -> Answer) -> Answer {
        watch.withLock { watch in
            // Read under the lock: two readings in the wrong order would look like a step.
            let reading = read()
            watch.look(reading)
            return ask(watch, reading)
        }
    }
}
