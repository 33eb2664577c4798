import TenureCore

/// A log line: an event and its facts, which are written as a JSON object.
///
/// Never log a license key, a token or a body. Log a path only as its route's pattern.
public struct LogLine: Sendable {
    /// The severity of a line.
    public enum Level: String, Sendable {
        /// An event that needs no attention.
        case info
        /// A problem that an operator should look at eventually.
        case warning
        /// A problem that an operator should look at immediately.
        case error
    }

    /// The value of a fact.
    public enum Fact: Sendable {
        /// A text, which is logged as a JSON string.
        case text(String)
        /// An integer, which is logged as a JSON number.
        case number(Int64)
    }

    /// The severity.
    public var level: Level
    /// The event, as lowercase words joined by underscores, such as `store_damaged`.
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

/// The log line of a request.
///
/// It's a separate type, because an array of facts for each request would be noticeably slow.
public struct RequestLine: Sendable {
    let id: String
    let method: String
    let route: String
    let status: Int
    let microseconds: Int64

    var level: LogLine.Level { status >= 500 ? .error : .info }
    var event: String { "request" }

    /// Calls the body with each fact, in the order in which the facts are written.
    func eachFact(_ body: (StaticString, LogLine.Fact) -> Void) {
        body("id", .text(id))
        body("method", .text(method))
        body("route", .text(route))
        body("status", .number(Int64(status)))
        body("us", .number(microseconds))
    }
}

/// A destination of log lines.
public protocol Log: Sendable {
    /// Writes one line.
    ///
    /// Never fails, and never blocks for long.
    func write(_ line: LogLine)

    /// Writes the line of a request. Never fails, and never blocks for long.
    func write(_ line: RequestLine)
}

extension Log {
    /// Converts the line of a request into a ``LogLine`` and writes it.
    public func write(_ line: RequestLine) {
        var all = LogLine(line.level, line.event)
        line.eachFact { name, fact in all.facts.append((name, fact)) }
        write(all)
    }
}
