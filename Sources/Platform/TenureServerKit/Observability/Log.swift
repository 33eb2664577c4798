import TenureCore

/// A log line: an event and its facts, which are written as a JSON object.
///
/// Never log a license key, a token or a body. Log a path only as its route's pattern.
public struct LogLine: Sendable {
    /// The severity of a line.
    public enum Level: String, Sendable {
        /// A normal event.
        case info
        /// A problem that an operator should look at eventually.
        case warning
        /// A problem that an operator should look at immediately.
        case error
    }

    /// The value of a fact.
    public enum Fact: Sendable {
        /// A text.
        case text(String)
        /// A number.
        case number(Int64)
    }

    /// The severity.
    public var level: Level
    /// What happened, as lowercase words joined by underscores, such as `store_damaged`.
    public var event: String
    /// The facts, in the order in which they are written.
    public var facts: [(name: StaticString, value: Fact)]

    /// Creates a line.
    public init(_ level: Level, _ event: String, _ facts: [(name: StaticString, value: Fact)] = []) {
        self.level = level
        self.event = event
        self.facts = facts
    }
}

/// A destination of log lines.
public protocol Log: Sendable {
    /// Writes one line.
    ///
    /// It never fails and never blocks for long.
    func write(_ line: LogLine)
}
