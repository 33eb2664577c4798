import TenureCore
import TenureHTTP

/// The reason why the wall clock can't be trusted.
///
/// While the clock is untrusted, the server signs and writes nothing that contains a date. A lease or trial that
/// started in the wrong year would stay wrong after the clock is corrected.
public struct ClockDoubt: Sendable, Hashable {
    /// The clock or time that the host's wall clock disagrees with.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The host's monotonic clock. The wall clock was set while the server was running.
        case stepped
        /// The latest time in the store. The wall clock is behind that time.
        case behind
        /// The latest time in the store. The wall clock is ahead of that time by more than
        /// ``ClockWatch/longestAbsence``.
        case ahead
        /// The clock of the database host.
        case apart
    }

    /// The clock or time that the wall clock disagrees with.
    public let kind: Kind
    /// How many seconds the wall clock is ahead; negative if the wall clock is behind.
    public let seconds: Int64

    /// Creates a doubt.
    public init(_ kind: Kind, by seconds: Int64) {
        self.kind = kind
        self.seconds = seconds
    }

    /// The problem in words, for an operator.
    public var message: String {
        let (far, side) = (Self.span(seconds.magnitude), seconds < 0 ? "behind" : "ahead of")
        return switch kind {
        case .stepped:
            "The clock of this machine was set \(far) \(seconds < 0 ? "back" : "ahead") while the server was running."
        case .behind: "The clock of this machine is \(far) behind the latest time recorded in the store."
        case .ahead: "The clock of this machine is \(far) ahead of the latest time recorded in the store."
        case .apart: "The clock of this machine is \(far) \(side) the database's."
        }
    }

    /// The remedy for an operator.
    public var cure: String {
        "Correct the clock, or run `tenure clock accept` if it is right."
    }

    /// A duration in words, rounded down to whole days, hours, minutes or seconds.
    private static func span(_ seconds: UInt64) -> String {
        for (length, name) in [(86_400, "day"), (3_600, "hour"), (60, "minute")] as [(UInt64, String)]
        where seconds >= length {
            let count = seconds / length
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return "\(seconds) second\(seconds == 1 ? "" : "s")"
    }
}

extension Failure {
    /// The 503 failure for a request that signs or stores dates, while the clock is untrusted.
    ///
    /// Clients continue to use their leases.
    static let clockInDoubt = Failure(
        RejectedRequest(
            503, code: "clock_in_doubt",
            "The server's clock can't be trusted right now, so it isn't issuing anything with a date. Try again later. "
                + "The operator can run `tenure doctor` for the remedy.", title: "Clock not trusted"),
        headers: ["Retry-After": "60"])
}
