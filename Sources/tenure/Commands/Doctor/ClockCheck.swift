import Glibc
import TenureCore
import TenureStore

/// Looks at the clock: everything Tenure promises is dated by it.
enum ClockCheck {
    static func run(_ store: any Store, virtualClock: String?) async -> Finding {
        if let virtualClock {
            return .warning(
                "clock", "virtual clock, moved by \(virtualClock)", cure: "Leave --clock away on a server that counts.")
        }
        let now = SystemClock().now()
        if let latest = try? await latestEvent(store), latest > now.adding(seconds: 300) {
            return .failure(
                "clock", "it says \(now), and the latest event is dated \(latest)",
                cure: "Set the clock right before serving: leases would be dated before what was given already.")
        }
        guard access("/run/systemd/timesync/synchronized", F_OK) == 0 else {
            return .ok("clock", "\(now); whether it is synchronised cannot be told from here")
        }
        return .ok("clock", "\(now), synchronised")
    }

    private static func latestEvent(_ store: any Store) async throws(StoreError) -> Timestamp? {
        let last = try await store.census().latestEvent
        return try await store.events(EventFilter(), after: max(0, last - 1), limit: 1).last?.event.at
    }
}
