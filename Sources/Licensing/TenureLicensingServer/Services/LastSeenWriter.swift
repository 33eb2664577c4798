import Synchronization
package import TenureCore
package import TenureLicensing
public import TenureServerKit
public import TenureStore
import TenureThreads

/// Collects when devices were last seen and what they report, and writes both in batches.
///
/// A renewal must not wait for the disk just to update facts that no decision depends on. A crash of the server loses
/// at most what was collected since the last write.
///
/// Batches are rare and large for two reasons. Every write invalidates the view that each reader has of the database
/// file, and sorted writes share the pages that they touch.
public final class LastSeenWriter: Service {
    private let store: ServerStore
    private let interval: Duration
    private let clock: any SteadyClock
    private let gathered = Mutex(LastSeenTable())
    private let reports = Mutex(PendingDeviceReports(limit: LastSeenWriter.reportLimit))
    private let written: Mutex<SteadyTime>

    /// The maximum number of devices in memory; from half of it on, they're written before the interval has passed.
    public static let limit = 100_000
    /// The maximum number of devices whose reports are in memory.
    private static let reportLimit = 50_000

    package init(store: any Store, interval: Duration, clock: any SteadyClock = SystemSteadyClock()) {
        self.store = ServerStore(store)
        self.interval = interval
        self.clock = clock
        written = Mutex(clock.now())
    }

    /// The service's name in logs and metrics.
    public var name: String { "sightings" }

    /// The name of the alarm that a failure raises.
    public var alarm: String { "sightings_not_written" }

    /// Records in memory that a device was seen at `now`; does nothing if ``limit`` other devices are waiting.
    package func note(_ activation: ActivationID, at now: Timestamp) {
        gathered.withLock { gathered in gathered.record(activation, at: now, limit: Self.limit) }
    }

    /// Records in memory that a device reports something other than what is stored; does nothing if ``reportLimit``
    /// other devices are waiting.
    ///
    /// Such a device reports it again with its next activation or renewal.
    package func note(_ activation: ActivationID, _ report: DeviceReport) {
        reports.withLock { $0.add(report, of: activation) }
    }

    /// Writes the collected times and reports if the interval has passed or if half the limit is reached.
    public func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let now = clock.now()
        let isDue = written.withLock { written in
            let isDue = isHalfFull || written.advanced(by: interval) <= now
            if isDue { written = now }
            return isDue
        }
        if isDue { try await write(reports.withLock { $0.takeDue(at: now) }) }
        return .after(min(interval, .seconds(2)))
    }

    /// Writes the times and reports that haven't been written yet.
    public func finish() async throws(ServerError) { try await write(reports.withLock { $0.takeAll() }) }

    private var isHalfFull: Bool { gathered.withLock { $0.count >= Self.limit / 2 } }

    private func write(_ reported: [ActivationID: DeviceReport]) async throws(ServerError) {
        // Sort outside of the lock, so that requests don't wait for it.
        var times = gathered.withLock { gathered in
            defer { gathered = LastSeenTable() }
            return gathered
        }
        let batch = times.removeAll()
        if !batch.isEmpty { try await store.recordSightings(batch) }
        if !reported.isEmpty { try await store.recordReports(reported) }
    }
}
