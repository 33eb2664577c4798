import TenureCore
import TenureHTTP

/// Why it is not known what time it is. While it lasts nothing dated is signed or written: a lease or a trial that begins
/// in a wrong year stays wrong when the clock is right again.
public struct ClockDoubt: Sendable, Hashable {
    /// What the machine's clock disagrees with.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// With a clock of the machine that nobody sets: it was set while the server ran.
        case stepped
        /// With the store: it has seen later times.
        case behind
        /// With the store: so much time has hardly passed since somebody last worked with it.
        case ahead
        /// With the clock of the database.
        case apart
    }

    /// What it disagrees with.
    public let kind: Kind
    /// How many seconds it is ahead; negative where it is behind.
    public let seconds: Int64

    /// States a doubt.
    public init(_ kind: Kind, by seconds: Int64) {
        self.kind = kind
        self.seconds = seconds
    }

    /// What is wrong, for an operator.
    public var message: String {
        let (far, side) = (Self.span(seconds.magnitude), seconds < 0 ? "behind" : "ahead of")
        return switch kind {
        case .stepped:
            "The clock of this machine was set \(far) \(seconds < 0 ? "back" : "ahead") while the server ran."
        case .behind: "The clock of this machine is \(far) behind the latest time that the store has seen."
        case .ahead: "The clock of this machine is \(far) ahead of the latest time that the store has seen."
        case .apart: "The clock of this machine is \(far) \(side) the database's."
        }
    }

    /// What to do about it.
    public var cure: String {
        "Set the clock right; or if it is right, run `tenure clock accept`."
    }

    /// A length of time as a person would say it, rounded down.
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
    /// What a request is answered with that needs the time: clients go on with what they have.
    static let clockInDoubt = Failure(
        TurnedAway(
            503, code: "clock_in_doubt",
            "The server does not know what time it is, and gives nothing that has a date. Try again later; its operator "
                + "sees what to do in `tenure doctor`.", title: "The clock is in doubt"),
        headers: ["Retry-After": "60"])
}
