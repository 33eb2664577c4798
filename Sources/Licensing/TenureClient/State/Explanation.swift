package import TenureCore
public import TenureFoundation

/// The reasons for a state, what to do about it, and when it is due to change.
public struct Explanation: Sendable, Hashable {
    /// One of the reasons for a state, with texts for the user and facts for programs.
    public struct Reason: Sendable, Hashable {
        /// The stable code, such as `lease_lapsed`; programs should branch on this only.
        ///
        /// New codes may be added.
        public let code: String
        /// What happened, in one sentence for the user.
        public let message: String
        /// The remedy, in one sentence for the user.
        public let cure: String
        /// Numbers and dates about the reason, such as `expiresAt` with an RFC 3339 date.
        public let evidence: [String: String]
        /// When the reason is due to change without user action; `nil` if it isn't.
        public let changesAt: Date?

        /// Creates a reason, for previews and tests; if the code is one of the client's own, views offer its usual
        /// actions.
        public init(
            code: String, message: String, cure: String, evidence: [String: String] = [:], changesAt: Date? = nil
        ) {
            self.code = code
            self.message = message
            self.cure = cure
            self.evidence = evidence
            self.changesAt = changesAt
        }
    }

    /// The reasons before translation; never empty.
    package let decided: [TenureCore.Reason]

    /// The language and the time zone of the texts.
    package private(set) var style: TextStyle

    /// Whether the app wrote the texts itself, so that they aren't translated.
    private let isMade: Bool

    package init(_ first: TenureCore.Reason, _ others: [TenureCore.Reason] = []) {
        decided = [first] + others
        style = TextStyle(.english)
        isMade = false
    }

    /// Creates an explanation, for previews and tests; its texts are the app's own and aren't translated.
    public init(_ first: Reason, _ others: [Reason] = []) {
        decided = ([first] + others).map(TenureCore.Reason.init)
        style = TextStyle(.english)
        isMade = true
    }

    /// The same explanation in the first of these languages that the client has.
    ///
    /// They are `en`, `de`, `ko`, `ja`, `fr`, `es` and `zh-Hans`. A ``LicenseManager`` uses
    /// ``LicenseConfiguration/languages``. The texts are in English for other languages than these, and for reasons
    /// that only a newer server knows.
    ///
    /// - Parameter languages: Language tags such as `de-AT`, most preferred first; empty for the user's languages.
    public func localized(_ languages: [String]) -> Explanation {
        localized(TextStyle(TextLanguage(preferring: languages), timeZone: style.timeZone))
    }

    package func localized(_ style: TextStyle) -> Explanation {
        guard !isMade else { return self }
        var explanation = self
        explanation.style = style
        return explanation
    }

    /// The reasons, most specific first; never empty.
    public var reasons: [Reason] { decided.map { Reason($0, in: style) } }

    /// What happened, in one sentence for the user; taken from the first reason.
    public var message: String { style.message(of: decided[0]) }

    /// The remedy, in one sentence for the user; taken from the first reason.
    public var cure: String { style.cure(of: decided[0]) }

    /// When the state is due to change without user action; `nil` if it isn't.
    public var changesAt: Date? { changeMoment.map(Date.init) }

    /// The same time as ``changesAt``.
    package var changeMoment: Timestamp? { decided[0].changesAt }

    package var code: TenureCore.Reason.Kind { decided[0].code }
}

extension Explanation: CustomStringConvertible {
    /// The code, the message and the remedy of each reason, one reason per line.
    public var description: String { reasons.map(\.description).joined(separator: "\n") }
}

extension Explanation.Reason: CustomStringConvertible {
    /// The code, the message and the remedy, on one line.
    public var description: String { "\(code): \(message) \(cure)" }

    fileprivate init(_ reason: TenureCore.Reason, in style: TextStyle) {
        code = reason.code.text
        message = style.message(of: reason)
        cure = style.cure(of: reason)
        evidence = Dictionary(reason.evidence.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
        changesAt = reason.changesAt.map(Date.init)
    }
}

extension TenureCore.Reason {
    fileprivate init(_ reason: Explanation.Reason) {
        self.init(
            Kind(reason.code, reason.message, cure: reason.cure, since: ""),
            evidence: reason.evidence.sorted { $0.key < $1.key }.map { Evidence($0.key, .text($0.value)) },
            changesAt: reason.changesAt.map(Timestamp.init))
    }
}

extension Date {
    /// Creates the date of a timestamp, which has no fractions of a second.
    package init(_ time: Timestamp) { self.init(timeIntervalSince1970: Double(time.seconds)) }
}

extension Timestamp {
    /// Converts a date, rounding down to whole seconds; dates out of range are clamped.
    package init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.init(seconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }
}
