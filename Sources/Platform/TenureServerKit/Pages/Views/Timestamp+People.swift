package import TenureCore

extension Timestamp {
    /// The date and time for people, in English and UTC.
    package var forPeople: String { forPeople(in: PageLocale()) }

    /// The date and time for people, in UTC.
    package func forPeople(in language: PageLanguage) -> String { forPeople(in: PageLocale(language)) }

    /// The date and time for people, such as `21 November 2026, 08:00 UTC` or `2026년 11월 21일 17:00 UTC+9`.
    package func forPeople(in locale: PageLocale) -> String {
        let text = adding(seconds: locale.zone.offset(at: self)).description
        let parts = text.split { "-T:Z".contains($0) }
        guard parts.count == 6, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month)
        else { return description }
        return locale.language.date(
            year: year, month: month, day: day, time: "\(parts[3]):\(parts[4]) \(locale.zone.label(at: self))")
    }

    /// The time from `now` to this timestamp in words, such as `in 3 days`, `5 hours ago` or `now`.
    ///
    /// Less than a minute is `now`. The unit is minutes below one hour, hours below two days, and days otherwise. A
    /// future time is rounded to the nearest unit. So on the day of the sale, a term of thirty days is shown as thirty
    /// days. A past time is rounded down.
    package func distance(from now: Timestamp, in language: PageLanguage = .english) -> String {
        let seconds = now.seconds(until: self)
        let size = seconds.magnitude
        let whole = { (unit: UInt64) in (size + (seconds > 0 ? unit / 2 : 0)) / unit }
        let (minutes, hours) = (whole(60), whole(3600))
        let (count, later, earlier): (UInt64, FrameText, FrameText) =
            if size < 60 { (0, .timeNow, .timeNow) } else if minutes < 60 {
                (minutes, .timeInMinutes, .timeMinutesAgo)
            } else if hours < 48 {
                (hours, .timeInHours, .timeHoursAgo)
            } else { (whole(86_400), .timeInDays, .timeDaysAgo) }
        return (seconds > 0 ? later : earlier)(in: language, count: Int(clamping: count))
    }

    /// The timestamp as an HTML `time` element, in English and UTC.
    package var markup: Markup { markup(in: PageLocale()) }

    /// The timestamp as an HTML `time` element.
    package func markup(in locale: PageLocale) -> Markup {
        Tag.time(.datetime(description)) { forPeople(in: locale) }
    }
}
