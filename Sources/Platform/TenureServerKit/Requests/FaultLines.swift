import Synchronization
import TenureThreads

/// Limits the log lines about passing faults, such as an unavailable database, to one a second for each cause.
///
/// In an outage, each request fails for the same reason, and thousands of equal lines would hide the others.
final class FaultLines: Sendable {
    private struct Logged {
        var nextAt: SteadyTime
        var unlogged: Int64 = 0
    }

    private let logged = Mutex<[String: Logged]>([:])

    /// Returns how many equal faults weren't logged before this one, or `nil` if this one isn't to be logged.
    ///
    /// Faults that don't pass without a change are always logged, and so are changes that a failover may lose.
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
