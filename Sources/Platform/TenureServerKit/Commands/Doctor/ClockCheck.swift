import Glibc
import TenureCommandLine
import TenureCore
import TenureStore

/// Checks the clock, which dates every license and lease.
enum ClockCheck {
    static func run(_ store: any Store, virtualClock: String?) async -> Finding {
        if let virtualClock {
            do throws(CommandError) { _ = try VirtualClock(path: virtualClock) } catch {
                return .failure("clock", error.description, cure: "")
            }
            return .warning(
                "clock", "virtual clock, moved by \(virtualClock)", cure: "Don't use --clock on a production server.")
        }
        let now = SystemClock().now()
        do throws(StoreError) {
            let mark = try await ClockWatch.Mark.read(from: store)
            let reading = ClockWatch.Sample(wall: now, steady: Stopwatch.secondsSinceBoot())
            var watch = ClockWatch(reading, since: mark)
            if let seconds = try await store.time() { watch.observe(reading, database: Timestamp(seconds: seconds)) }
            if let doubt = watch.doubt {
                return .failure("clock", "\(doubt.message) The clock shows \(now.local).", cure: doubt.cure)
            }
            if let latest = try await latestEvent(store), latest > now.adding(seconds: ClockWatch.tolerance) {
                return .failure(
                    "clock", "the clock shows \(now.local), but the latest event is dated \(latest.local)",
                    cure:
                        "Set the clock before you start the server. If it is already right, run `tenure clock accept`.")
            }
        } catch {
            return .warning("clock", "\(now.local); the store's latest time could not be read", cure: error.message)
        }
        guard access("/run/systemd/timesync/synchronized", F_OK) == 0 else {
            return .ok("clock", "\(now.local); whether it is synchronized can't be checked here")
        }
        return .ok("clock", "\(now.local), synchronized")
    }

    private static func latestEvent(_ store: any Store) async throws(StoreError) -> Timestamp? {
        var latest: Timestamp?
        for counter in try await EventCounter.all(in: store) {
            let newest = try await store.list(
                Listing(EventRecord.ofTenant, [.of(counter.tenant)], isBackwards: true, limit: 1))
            if let at = newest.first?.event.at { latest = max(latest ?? at, at) }
        }
        return latest
    }
}
