/// Something that the client did, for a developer's log.
///
/// Never a license key, a token, an identifier of device or activation, nor a lease: a log may be sent to support as it is.
public struct LicenseLogEntry: Sendable, Hashable {
    /// How much it matters.
    public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
        /// What happens all the time: a question is sent, a wait begins.
        case debug
        /// What changes something: an answer, a decision.
        case info
        /// What may pass by itself: nobody could be asked.
        case warning
        /// What somebody has to put right: the record cannot be read or written.
        case error

        /// Orders them as they are declared.
        public static func < (one: Level, other: Level) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }
    }

    /// How much it matters.
    public let level: Level
    /// What it is, for programs: `question.sent`, `question.answered`, `question.unanswered`, `state.decided`,
    /// `wait.begun`.
    public let code: String
    /// The same for people. It may have the words of libcurl or of the system.
    public let message: String
    /// What belongs to it: of a question its name, `milliseconds`, `outcome` and `reason`, or `cause` and `retryAfter`; of a
    /// decision `state` and `reasons`; of a wait `until`.
    public let facts: [String: String]

    /// Makes one, for tests.
    public init(level: Level, code: String, message: String, facts: [String: String] = [:]) {
        self.level = level
        self.code = code
        self.message = message
        self.facts = facts
    }
}

/// Who hears of what the client does. Two of them are equal: what listens changes nothing of what a configuration means.
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
    /// Tells a decision; one about a record that cannot be used is for somebody to put right.
    func tell(decided resolution: Resolution) {
        let codes = resolution.explanation.reasons.map(\.code)
        let isTrouble = codes.contains { $0 == "record_unreadable" || $0 == "record_unwritable" }
        tell(
            isTrouble ? .error : .info, "state.decided",
            ["state": resolution.state.name, "reasons": codes.joined(separator: ",")],
            "The state is \(resolution.state.name): \(resolution.explanation.code).")
    }
}
