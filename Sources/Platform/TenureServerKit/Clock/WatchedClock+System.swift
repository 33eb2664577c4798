package import TenureCommandLine

extension SystemClock: WallClock {}

extension VirtualClock: WallClock {}

extension WatchedClock {
    /// A watched clock that reads the system's wall clock and the time since boot.
    package static func system(since mark: ClockWatch.Mark) -> WatchedClock {
        WatchedClock(since: mark) {
            ClockWatch.Sample(wall: SystemClock().now(), steady: Stopwatch.secondsSinceBoot())
        }
    }
}
