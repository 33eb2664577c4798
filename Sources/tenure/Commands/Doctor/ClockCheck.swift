import Glibc
import TenureCore
import TenureLicensingServer
import TenureServer
import TenureServerKit
import TenureStore

/// Checks the clock, because every license and lease is dated by it.
enum ClockCheck {
    static func run(_ store: any Store, virtualClock: String?) async -> Finding {
        if let virtualClock {
            return .warning(
                "clock", "virtual clock, moved by \(virtualClock)", cure: "Leave --clock away on a server that counts.")
        }
        let now = SystemClock().now()
        do throws(StoreError) {
            let mark = try await ClockMark.read(from: store)
            var watch = ClockWatch(ClockSample(wall: now, steady: 0), mark: mark.seen, apart: mark.apart ?? 0)
            if let seconds = try await store.time() {
                watch.look(ClockSample(wall: now, steady: 0), database: Timestamp(seconds: seconds))
            }
            if let doubt = watch.doubt {
                return .failure("clock", "\(doubt.message) It says \(now).", cure: doubt.cure)
            }
            if let latest = try await latestEvent(store), latest > now.adding(seconds: ClockWatch.tolerance) {
                return .failure(
                    "clock", "it says \(now), and the latest event is dated \(latest)",
                    cure: "Set the clock right before serving; or if it is right, run `tenure clock accept`.")
            }
        } catch {
            return .warning("clock", "\(now); the store does not say what time it has seen", cure: error.message)
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
