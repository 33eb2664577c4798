package import TenureCore
package import TenureFoundation

/// The language and the time zone in which reasons are shown to the user.
package struct TextStyle: Sendable, Hashable {
    package let language: TextLanguage
    /// The time zone of dates; `nil` for the device's.
    package let timeZone: TimeZone?

    package init(_ language: TextLanguage, timeZone: TimeZone? = nil) {
        self.language = language
        self.timeZone = timeZone
    }

    /// What happened, in the user's language and with readable dates.
    package func message(of reason: Reason) -> String {
        pair(for: reason).map { filled($0.message, from: reason) } ?? dated(reason.message)
    }

    /// What to do about it, in the user's language and with readable dates.
    package func cure(of reason: Reason) -> String {
        pair(for: reason).map { filled($0.cure, from: reason) } ?? dated(reason.cure)
    }

    /// A date such as `8 December 2026, 19:39`.
    package func date(_ time: Timestamp) -> String {
        guard let local = CalendarTime(time, offset: timeZone?.secondsFromGMT(for: Date(time))) else {
            return time.description
        }
        return language.date(year: local.year, month: local.month, day: local.day, time: local.time)
    }

    /// The most specific translation for which the reason has all the evidence; `nil` if there is none.
    ///
    /// A translation's name is the reason's code, and may be followed by the name of a piece of evidence, and by its
    /// text.
    private func pair(for reason: Reason) -> TextPair? {
        let texts = language.texts
        let code = reason.code.text
        let details = reason.evidence.flatMap { ["\(code).\($0.name).\($0.value.text)", "\(code).\($0.name)"] }
        let names = Set(reason.evidence.map(\.name))
        return (details + [code]).lazy.compactMap { texts[$0] }.first {
            Self.placeholders(in: $0.message).isSubset(of: names)
        }
    }

    private func filled(_ text: String, from reason: Reason) -> String {
        reason.evidence.reduce(text) { text, evidence in
            text.replacing("{\(evidence.name)}", with: shown(evidence.value))
        }
    }

    /// The value as text; a date that a server sent as text is a date, too.
    private func shown(_ value: Reason.Evidence.Value) -> String {
        switch value {
        case .date(let time): date(time)
        case .number(let number): String(number)
        case .text(let text): dated(text)
        }
    }

    /// Replaces the dates in RFC 3339, such as `2026-11-24T09:00:00Z`, with dates for people.
    // Swift would parse a regular expression again each time, which took longer than the rest of a message.
    private func dated(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "Z")) else { return text }
        var (shown, rest) = ("", text[...])
        while !rest.isEmpty {
            let start = rest.prefix(Self.dateLength)
            if start.last == "Z", let time = Timestamp(text: String(start)) {
                shown += date(time)
                rest = rest[start.endIndex...]
            } else {
                shown.append(rest.removeFirst())
            }
        }
        return shown
    }

    /// The number of characters of a date that ``Timestamp/description`` writes.
    private static let dateLength = 20

    /// The names between braces in a translation.
    package static func placeholders(in text: String) -> Set<String> {
        Set(text.split(atByte: "{").dropFirst().map { String($0.before(anyByteOf: "}")) })
    }
}
