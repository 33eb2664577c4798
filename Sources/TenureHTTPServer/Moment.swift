import Glibc

/// A reading of the system's monotonic clock, in nanoseconds: for deadlines, never for dates.
struct Moment: Comparable {
    var nanoseconds: UInt64

    static let never = Moment(nanoseconds: .max)

    static func now() -> Moment {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    static func < (one: Moment, other: Moment) -> Bool {
        one.nanoseconds < other.nanoseconds
    }

    /// The moment that much later; `never` when it is too far away to count.
    func advanced(by duration: Duration) -> Moment {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return .never }
        let (sum, tooFar) = nanoseconds.addingReportingOverflow(whole + UInt64(clamping: attoseconds / 1_000_000_000))
        return tooFar ? .never : Moment(nanoseconds: sum)
    }
}
