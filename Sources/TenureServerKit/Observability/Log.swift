import TenureCore
import TenureFormats

/// One line of the log: a JSON object with the facts in order.
///
/// A key, a token or a body never stands in it; a path stands in it only as the pattern of its route.
public struct LogLine: Sendable {
    /// How much it matters.
    public enum Level: String, Sendable {
        /// What always happens.
        case info
        /// What an operator should look at some time.
        case warning
        /// What an operator should look at now.
        case error
    }

    /// A fact of a line.
    public enum Fact: Sendable {
        /// A text.
        case text(String)
        /// A number.
        case number(Int64)
    }

    /// How much it matters.
    public var level: Level
    /// What happened, in a word or two joined by underscores.
    public var event: String
    /// The facts, in order.
    public var facts: [(name: StaticString, value: Fact)]

    /// Makes a line.
    public init(_ level: Level, _ event: String, _ facts: [(name: StaticString, value: Fact)] = []) {
        self.level = level
        self.event = event
        self.facts = facts
    }
}

/// Takes lines of the log; where they go is decided at the edge.
public protocol Log: Sendable {
    /// Takes one line. Never blocks for long and never fails.
    func write(_ line: LogLine)
}
