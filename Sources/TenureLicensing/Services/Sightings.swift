import Synchronization
package import TenureCore
public import TenureServerKit
public import TenureStore
import TenureThreads

/// Gathers when devices were last seen and writes it down now and then.
///
/// A refresh must not wait for the disk for a note that nobody's right depends on: what a crash loses is at most the
/// last interval's sightings. They are written seldom and many at a time: each write of a few costs every reader its
/// view of the file, and many in order share the pages that they touch.
public final class Sightings: Service {
    private let store: any Store
    private let interval: Duration
    private let clock: any SteadyClock
    private let gathered = Mutex<[ActivationID: Timestamp]>([:])
    private let written: Mutex<SteadyTime>

    /// How many devices are remembered at most; from half of it on they are written without waiting for the interval.
    public static let limit = 400_000

    package init(store: any Store, interval: Duration, clock: any SteadyClock = SystemSteadyClock()) {
        self.store = store
        self.interval = interval
        self.clock = clock
        written = Mutex(clock.now())
    }

    /// Names it.
    public var name: String { "sightings" }

    /// Names a failure as operators know it.
    public var alarm: String { "sightings_not_written" }

    /// Notes that a device was seen.
    package func note(_ activation: ActivationID, at now: Timestamp) {
        gathered.withLock { gathered in
            if gathered.count < Self.limit || gathered[activation] != nil { gathered[activation] = now }
        }
    }

    /// Writes what was gathered when the interval is over, or when much has been gathered.
    public func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let now = clock.now()
        let isDue = written.withLock { written in
            let isDue = isHalfFull || written.advanced(by: interval) <= now
            if isDue { written = now }
            return isDue
        }
        if isDue { try await write() }
        return .after(min(interval, .seconds(1)))
    }

    /// Writes what was gathered since.
    public func finish() async throws(ServerError) { try await write() }

    private var isHalfFull: Bool { gathered.withLock { $0.count >= Self.limit / 2 } }

    private func write() async throws(ServerError) {
        let batch = gathered.withLock { gathered in
            defer { gathered = [:] }
            return gathered
        }
        if batch.isEmpty { return }
        try await asking { () async throws(StoreError) in try await store.recordSightings(batch) }
    }
}
