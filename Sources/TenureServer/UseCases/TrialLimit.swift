import Synchronization
import TenureCore
import TenureServerKit

/// How many devices may begin a trial of a product: anybody may ask, and each new device is a row for ever.
///
/// It is this process's own: each server on a store counts for itself.
final class TrialLimit: Sendable {
    private let ledgers = Mutex<[ProductRef: AttemptLedger]>([:])

    /// Counts a new device of a product that is there.
    func admit(_ device: Digest, of product: ProductRef, at now: Timestamp) -> AttemptLedger.Answer {
        ledgers.withLock { $0[product, default: Self.fresh].admit(device, at: now) }
    }

    /// 600 devices a minute and product: more than any launch day has had, and about 110 MB of rows a day at most.
    private static let fresh = AttemptLedger(perName: 20, total: 600, window: 60)
}
