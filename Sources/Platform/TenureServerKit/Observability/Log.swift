import TenureCore

/// A line of the log: a JSON object with facts in order.
///
/// It never contains a license key, token or body. A path appears only as its route's pattern.
public struct LogLine: Sendable {
    /// The severity of a line.
    public enum Level: String, Sendable {
        /// A normal event.
        case info
        /// Something that an operator should look at eventually.
        case warning
        /// Something that an operator should look at now.
        case error
    }

    /// A value in a line.
    public enum Fact: Sendable {
        /// A text.
        case text(String)
        /// A number.
        case number(Int64)
    }

    /// The severity.
    public var level: Level
    /// What happened, as words joined by underscores.
    public var event: String
    /// The facts, in order.
    public var facts: [(name: StaticString, value: Fact)]

    /// Creates a line.
    public init(_ level: Level, _ event: String, _ facts: [(name: StaticString, value: Fact)] = []) {
        self.level = level
        self.event = event
        self.facts = facts
    }
}

/// Receives log lines; the implementation decides where they go.
public protocol Log: Sendable {
    /// Writes one line.
    ///
    /// It never fails and never blocks for long.
    func write(_ line: LogLine)
}
