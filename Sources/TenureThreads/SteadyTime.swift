#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A reading of the system's steady clock, in nanoseconds: for waits and deadlines, never for dates.
///
/// The clock goes on at one pace whatever happens to the wall clock, and stands still while the machine sleeps.
package struct SteadyTime: Comparable, Hashable, Sendable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// A moment that never comes.
    package static let never = SteadyTime(nanoseconds: .max)

    package static func now() -> SteadyTime {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return SteadyTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    package static func < (one: SteadyTime, other: SteadyTime) -> Bool { one.nanoseconds < other.nanoseconds }

    /// Whether it is now or was before; costs nothing for `never`.
    package var hasCome: Bool { self != .never && self <= .now() }

    /// How long it is from here to the other moment; nothing when that was before.
    package func duration(to other: SteadyTime) -> Duration {
        other > self ? .nanoseconds(Int64(clamping: other.nanoseconds - nanoseconds)) : .zero
    }

    /// The moment that much later; `never` when it is too far away to count.
    package func advanced(by duration: Duration) -> SteadyTime {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return .never }
        let (sum, tooFar) = nanoseconds.addingReportingOverflow(whole + UInt64(clamping: attoseconds / 1_000_000_000))
        return tooFar ? .never : SteadyTime(nanoseconds: sum)
    }
}

/// Until when work on behalf of a request is worth beginning.
///
/// The HTTP server sets it around each handler; an endpoint may shorten it for what it calls:
/// `Deadline.$current.withValue(min(Deadline.current, .now().advanced(by: .seconds(2)))) { ... }`. Lanes and the queues
/// of the stores read it when they are asked, and do not begin work whose deadline has come.
package enum Deadline {
    /// The current task's; `never` for services and commands. Tasks that serve several requests are detached, so that
    /// none of them sets a limit to the others.
    @TaskLocal package static var current = SteadyTime.never
}
