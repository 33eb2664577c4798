import Synchronization
import TenureThreads

/// Limits the log lines about transient errors, such as an unavailable database, to one per second for each cause.
///
/// In an outage, all requests fail for the same reason, and thousands of equal lines would hide other lines.
final class FaultLines: Sendable {
    private struct Logged {
        var nextAt: SteadyTime
        var unlogged: Int64 = 0
    }

    private let logged = Mutex<[String: Logged]>([:])

    /// Returns how many equal errors weren't logged before this one; `nil` if this one must not be logged.
    ///
    /// Permanent errors are always logged, and so are errors about changes that a failover may lose.
    func take(_ fault: ServerError, at now: SteadyTime = .now()) -> Int64? {
        guard fault.isTransient, fault.code != .storeUnconfirmed else { return 0 }
        let cause = fault.description
        return logged.withLock { logged in
            if var earlier = logged[cause], now < earlier.nextAt {
                earlier.unlogged += 1
                logged[cause] = earlier
                return nil
            }
            let unlogged = logged[cause]?.unlogged ?? 0
            if logged.count >= Self.mostCauses { logged.removeAll() }
            logged[cause] = Logged(nextAt: now.advanced(by: .seconds(1)))
            return unlogged
        }
    }

    private static let mostCauses = 64
}
