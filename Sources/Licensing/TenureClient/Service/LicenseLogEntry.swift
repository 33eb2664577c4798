/// An entry in the client's log, for developers.
///
/// It never contains a license key, a token, a lease, or the id of a device or activation. So a log can be sent to
/// support as it is.
public struct LicenseLogEntry: Sendable, Hashable {
    /// The severity of an entry.
    public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Routine events: a request is sent, a wait begins.
        case debug
        /// Events that may change something: a response, a decision.
        case info
        /// Problems that may be temporary: the server couldn't be reached.
        case warning
        /// Problems that need fixing: the record can't be read or written.
        case error

        /// Compares by severity; `debug` is the lowest.
        public static func < (one: Level, other: Level) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }
    }

    /// The severity, by which a log can be filtered.
    public let level: Level
    /// The kind of event, for programs.
    ///
    /// One of `question.sent`, `question.answered`, `question.unanswered`, `state.decided`, `wait.begun`,
    /// `entitlement.undeclared` and `entitlement.unused`.
    public let code: String
    /// The event in words; may contain messages of libcurl or the system.
    public let message: String
    /// Details of the event, by name.
    ///
    /// For a request: `question`, `milliseconds`, `outcome` and `reason`, or `cause` and `retryAfter`. For a decision:
    /// `state` and `reasons`. For a wait: `until`. For an entitlement: `name`.
    public let facts: [String: String]

    /// Creates an entry, for tests.
    public init(level: Level, code: String, message: String, facts: [String: String] = [:]) {
        self.level = level
        self.code = code
        self.message = message
        self.facts = facts
    }
}

/// Forwards log entries to a closure.
///
/// All values are equal, so a configuration's `==` ignores the log.
struct LogListener: Sendable, Hashable {
    var hear: (@Sendable (LicenseLogEntry) -> Void)?

    func tell(
        _ level: LicenseLogEntry.Level, _ code: String, _ facts: [String: String] = [:],
        _ message: @autoclosure () -> String
    ) {
        hear?(LicenseLogEntry(level: level, code: code, message: message(), facts: facts))
    }

    static func == (one: LogListener, other: LogListener) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension LogListener {
    /// Logs a decision, as an error if the record can't be read or written.
    func tell(decided resolution: Resolution) {
        let codes = resolution.explanation.reasons.map(\.code)
        let isTrouble = codes.contains { $0 == "record_unreadable" || $0 == "record_unwritable" }
        tell(
            isTrouble ? .error : .info, "state.decided",
            ["state": resolution.state.name, "reasons": codes.joined(separator: ",")],
            "The state is \(resolution.state.name): \(resolution.explanation.code).")
    }
}
