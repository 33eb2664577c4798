#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A reading of the system's monotonic clock in nanoseconds, for waits and deadlines but never for dates.
///
/// Changes to the wall clock don't affect it. On Linux it stops while the system is suspended.
package struct SteadyTime: Comparable, Hashable, Sendable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// A point in time that is never reached.
    package static let never = SteadyTime(nanoseconds: .max)

    package static func now() -> SteadyTime {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return SteadyTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    package static func < (one: SteadyTime, other: SteadyTime) -> Bool { one.nanoseconds < other.nanoseconds }

    /// Whether this time has been reached; false for `never`, without reading the clock.
    package var hasCome: Bool { self != .never && self <= .now() }

    /// The time from this reading to another one; zero if the other one is earlier.
    package func duration(to other: SteadyTime) -> Duration {
        other > self ? .nanoseconds(Int64(clamping: other.nanoseconds - nanoseconds)) : .zero
    }

    /// This time plus a duration; `never` if the result would overflow.
    package func advanced(by duration: Duration) -> SteadyTime {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return .never }
        let (sum, tooFar) = nanoseconds.addingReportingOverflow(whole + UInt64(clamping: attoseconds / 1_000_000_000))
        return tooFar ? .never : SteadyTime(nanoseconds: sum)
    }
}

/// The time by which work for a request must have started.
///
/// The HTTP server sets it around each handler. An endpoint may shorten it for the calls that it makes:
/// `Deadline.$current.withValue(min(Deadline.current, .now().advanced(by: .seconds(2)))) { ... }`. Worker pools and
/// store queues read it when work is submitted and don't start work whose deadline has passed.
package enum Deadline {
    /// The current task's deadline; `never` for services and commands.
    ///
    /// Tasks that serve several requests are detached, so that no request's deadline applies to the others.
    @TaskLocal package static var current = SteadyTime.never
}
