import Synchronization
import TenureCore
import TenureStore

/// Gathers when devices were last seen and writes it down now and then.
///
/// A refresh must not wait for the disk for a note that nobody's right depends on: what a crash loses is at most the
/// last interval's sightings, and with more devices than ``limit`` between two writes, the ones beyond it.
public final class Sightings: Service {
    private let store: any Store
    private let interval: Duration
    private let onFailure: @Sendable (StoreError) -> Void
    private let gathered = Mutex<[ActivationID: Timestamp]>([:])

    /// How many devices are remembered between two writes.
    public static let limit = 100_000

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
        repeat {
            try? await Task.sleep(for: interval)
            await write()
        } while !Task.isCancelled
    }

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
