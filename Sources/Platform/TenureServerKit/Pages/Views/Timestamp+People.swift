package import TenureCore

extension Timestamp {
    /// The date and time for people, in English.
    package var forPeople: String { forPeople(in: .english) }

    /// The date and time for people: `21 November 2026, 08:00 UTC` or `2026년 11월 21일 08:00 UTC`.
    package func forPeople(in language: PageLanguage) -> String {
        let text = description
        let parts = text.split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month) else {
            return text
        }
        return switch language {
        case .english: "\(day) \(Self.months[month - 1]) \(parts[0]), \(parts[3]):\(parts[4]) UTC"
        case .korean: "\(parts[0])년 \(month)월 \(day)일 \(parts[3]):\(parts[4]) UTC"
        }
    }

    /// The time from `now` to this timestamp in words, such as `in 3 days`, `5 hours ago` or `now`.
    ///
    /// It's rounded down to whole minutes, from one hour on to hours, and from two days on to days. Less than a minute
    /// is `now`.
    package func distance(from now: Timestamp, in language: PageLanguage = .english) -> String {
        let seconds = now.seconds(until: self)
        let size = seconds.magnitude
        let (count, unit): (UInt64, Spoken) =
            switch size {
            case ..<60: (0, Spoken("", ""))
            case ..<3600: (size / 60, Spoken("minute", "분"))
            case ..<172_800: (size / 3600, Spoken("hour", "시간"))
            default: (size / 86_400, Spoken("day", "일"))
            }
        switch language {
        case .english:
            if count == 0 { return "now" }
            let words = "\(count) \(unit(in: language))\(count == 1 ? "" : "s")"
            return seconds > 0 ? "in \(words)" : "\(words) ago"
        case .korean:
            return count == 0 ? "지금" : "\(count)\(unit(in: language)) \(seconds > 0 ? "후" : "전")"
        }
    }

    /// The timestamp as an HTML `time` element, in English.
    package var markup: Markup { markup(in: .english) }

    /// The timestamp as an HTML `time` element.
    package func markup(in language: PageLanguage) -> Markup {
        Tag.time(.datetime(description)) { forPeople(in: language) }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
