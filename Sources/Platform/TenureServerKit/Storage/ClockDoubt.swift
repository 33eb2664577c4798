import TenureCore
import TenureHTTP

/// Why the wall clock can't be trusted.
///
/// While it's untrusted, the server signs and writes nothing with a date. A lease or trial that started in the wrong
/// year would stay wrong after the clock is corrected.
public struct ClockDoubt: Sendable, Hashable {
    /// What the host's wall clock disagrees with.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The host's monotonic clock: the wall clock was changed while the server was running.
        case stepped
        /// The store, which contains a later time.
        case behind
        /// The store: the clock is implausibly far ahead of the latest time recorded there.
        case ahead
        /// The clock of the database host.
        case apart
    }

    /// What the wall clock disagrees with.
    public let kind: Kind
    /// How many seconds the wall clock is ahead; negative if it's behind.
    public let seconds: Int64

    /// Creates a value from its parts.
    public init(_ kind: Kind, by seconds: Int64) {
        self.kind = kind
        self.seconds = seconds
    }

    /// What is wrong, for an operator.
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

    /// What an operator can do about it.
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
    /// The 503 failure for a request that signs or stores dates.
    ///
    /// Clients continue with the leases that they have.
    static let clockInDoubt = Failure(
        RejectedRequest(
            503, code: "clock_in_doubt",
            "The server's clock can't be trusted right now, so it isn't issuing anything with a date. Try again later. "
                + "The operator can run `tenure doctor` for the remedy.", title: "Clock not trusted"),
        headers: ["Retry-After": "60"])
}
