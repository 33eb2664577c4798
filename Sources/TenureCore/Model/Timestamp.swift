/// A moment, in whole seconds since 1970-01-01T00:00:00Z, leap seconds ignored (POSIX time).
///
/// Arithmetic saturates: a moment too far away to be written is the farthest that can be.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before it.
    public let seconds: Int64

    /// Names a moment by its POSIX time.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// The moment this many seconds later; earlier when negative.
    public func adding(seconds more: Int64) -> Timestamp {
        let (sum, overflow) = seconds.addingReportingOverflow(more)
        guard overflow else { return Timestamp(seconds: sum) }
        return Timestamp(seconds: more < 0 ? .min : .max)
    }

    /// The moment this many days of 86,400 s later; earlier when negative.
    public func adding(days: Int) -> Timestamp {
        let (product, overflow) = Int64(days).multipliedReportingOverflow(by: Timestamp.secondsPerDay)
        guard overflow else { return adding(seconds: product) }
        return Timestamp(seconds: days < 0 ? .min : .max)
    }

    /// Seconds from this moment to the other; negative when the other is earlier.
    public func seconds(until other: Timestamp) -> Int64 {
        let (difference, overflow) = other.seconds.subtractingReportingOverflow(seconds)
        guard overflow else { return difference }
        return other < self ? .min : .max
    }

    /// Orders moments in time.
    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        one.seconds < other.seconds
    }

    static let secondsPerDay: Int64 = 86_400
}
