import Synchronization
import TenureCore
import TenureStore

/// Gathers when devices were last seen and writes it down now and then.
///
/// A refresh must not wait for the disk for a note that nobody's right depends on: what a crash loses is at most the
/// last interval's sightings. They are written seldom and many at a time: each write of a few costs every reader its
/// view of the file, and many in order share the pages that they touch.
public final class Sightings: Service {
    private let store: any Store
    private let interval: Duration
    private let onFailure: @Sendable (StoreError) -> Void
    private let gathered = Mutex<[ActivationID: Timestamp]>([:])

    /// How many devices are remembered at most; from half of it on they are written without waiting for the interval.
    public static let limit = 400_000

    init(store: any Store, interval: Duration, onFailure: @escaping @Sendable (StoreError) -> Void) {
        self.store = store
        self.interval = interval
        self.onFailure = onFailure
    }

    /// Notes that a device was seen.
    func note(_ activation: ActivationID, at now: Timestamp) {
        gathered.withLock { gathered in
            if gathered.count < Self.limit || gathered[activation] != nil { gathered[activation] = now }
        }
    }

    /// Writes what was gathered, and once more when cancelled.
    public func run() async {
        var written = ContinuousClock.now
        repeat {
            try? await Task.sleep(for: min(interval, .seconds(1)))
            guard isHalfFull || ContinuousClock.now - written >= interval || Task.isCancelled else { continue }
            await write()
            written = .now
        } while !Task.isCancelled
    }

    private var isHalfFull: Bool { gathered.withLock { $0.count >= Self.limit / 2 } }

    /// Writes what was gathered since the last time.
    func write() async {
        let batch = gathered.withLock { gathered in
            defer { gathered = [:] }
            return gathered
        }
        guard !batch.isEmpty else { return }
        do throws(StoreError) {
            try await store.recordSightings(batch)
        } catch {
            onFailure(error)
        }
    }
}
