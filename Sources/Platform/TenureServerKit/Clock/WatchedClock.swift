import Synchronization
package import TenureCommandLine
public import TenureCore
public import TenureStore

/// The host's wall clock, checked at each use against a monotonic clock.
public final class WatchedClock: WallClock {
    private let read: @Sendable () -> ClockWatch.Sample
    private let watch: Mutex<ClockWatch>

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - mark: The store's clock mark; ``ClockWatch/Mark/none`` without a store.
    ///   - read: Reads both clocks at one moment.
    public init(since mark: ClockWatch.Mark, _ read: @escaping @Sendable () -> ClockWatch.Sample) {
        self.read = read
        watch = Mutex(ClockWatch(read(), since: mark))
    }

    /// The current time; while the wall clock is untrusted, a substitute (see ``ClockWatch/time(at:)``).
    public func now() -> Timestamp {
        looking { watch, reading in watch.time(at: reading) }
    }

    /// Why the wall clock can't be trusted; `nil` while it can.
    public var doubt: ClockDoubt? {
        looking { watch, _ in watch.doubt }
    }

    /// The readings of both clocks; `nil` while the wall clock is untrusted.
    var trusted: ClockWatch.Sample? {
        looking { watch, reading in watch.doubt == nil ? reading : nil }
    }

    /// Starts watching again with the store's mark, once the store is connected.
    public func begin(since mark: ClockWatch.Mark) {
        watch.withLock { $0 = ClockWatch(read(), since: mark) }
    }

    /// Compares the wall clock with the clock of the database's host; does nothing for a local store.
    ///
    /// Returns whether the store has a clock of its own. Throws `StoreError`.
    @discardableResult
    public func compare(with store: any Store) async throws(StoreError) -> Bool {
        let requested = read()
        guard let seconds = try await store.time() else { return false }
        let reading = read()
        // A response that took long, for example because this host slept, contains an old time.
        if reading.steady - requested.steady <= Self.longestWay {
            watch.withLock { $0.observe(reading, database: Timestamp(seconds: seconds)) }
        }
        return true
    }

    /// Trusts the wall clock if it's within ``ClockWatch/tolerance`` of the time that the operator accepted.
    ///
    /// A larger difference may mean that the operator accepted the clock of another host.
    func accept(_ accepted: Timestamp) {
        let reading = read()
        guard accepted.seconds(until: reading.wall).magnitude <= UInt64(ClockWatch.tolerance) else { return }
        watch.withLock { $0.accept(at: reading) }
    }

    /// Whether the wall clock agreed with the database's clock at the last comparison.
    var isNearDatabase: Bool { watch.withLock { $0.isNearDatabase } }

    /// How long the database's response may take, in seconds; less than ``ClockWatch/tolerance``.
    private static let longestWay: Int64 = 60

    private func looking<Answer>(_ body: (ClockWatch, ClockWatch.Sample) -> Answer) -> Answer {
        watch.withLock { watch in
            // Reads under the lock, because two readings in the wrong order would look like a step.
            let reading = read()
            watch.observe(reading)
            return body(watch, reading)
        }
    }
}

extension SystemClock: WallClock {}

extension VirtualClock: WallClock {}

extension WatchedClock {
    /// A watched clock that reads the system's wall clock and the time since boot.
    package static func system(since mark: ClockWatch.Mark) -> WatchedClock {
        WatchedClock(since: mark) {
            ClockWatch.Sample(wall: SystemClock().now(), steady: Stopwatch.secondsSinceBoot())
        }
    }
}
