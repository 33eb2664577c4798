package import TenureCore

/// A time zone that a person can choose for the dates on pages.
///
/// The rules are those of 2026 and apply to all years. They're part of the program, so pages don't depend on the
/// system's time zone files.
package struct PageZone: Sendable, Hashable {
    /// The zone's name in the time zone database, such as `Europe/Berlin`.
    package let name: String
    /// The number of seconds by which the zone's standard time is ahead of UTC.
    private let standard: Int64
    private let summer: Summer?

    /// The period of the year in which a zone's clocks are an hour ahead of standard time.
    private enum Summer: Hashable {
        /// From the last Sunday in March to the last in October, at 01:00 UTC.
        case europe
        /// From the second Sunday in March to the first in November, at 02:00 local time.
        case northAmerica
        /// From the first Sunday in October to the first in April, at 02:00 standard time.
        case australia
        /// From the last Sunday in September to the first in April, at 02:00 standard time.
        case newZealand
    }

    private init(_ name: String, _ hours: Int64, _ minutes: Int64 = 0, _ summer: Summer? = nil) {
        self.name = name
        standard = hours * 3600 + minutes * 60
        self.summer = summer
    }

    /// Coordinated Universal Time.
    package static let utc = PageZone("UTC", 0)

    /// The available zones: UTC first, then from west to east.
    package static let all: [PageZone] = [
        .utc,
        PageZone("Pacific/Honolulu", -10), PageZone("America/Anchorage", -9, 0, .northAmerica),
        PageZone("America/Los_Angeles", -8, 0, .northAmerica), PageZone("America/Phoenix", -7),
        PageZone("America/Denver", -7, 0, .northAmerica), PageZone("America/Chicago", -6, 0, .northAmerica),
        PageZone("America/Mexico_City", -6), PageZone("America/New_York", -5, 0, .northAmerica),
        PageZone("America/Bogota", -5), PageZone("America/Halifax", -4, 0, .northAmerica),
        PageZone("America/Sao_Paulo", -3), PageZone("Atlantic/Reykjavik", 0),
        PageZone("Europe/London", 0, 0, .europe), PageZone("Europe/Berlin", 1, 0, .europe),
        PageZone("Africa/Lagos", 1), PageZone("Europe/Athens", 2, 0, .europe), PageZone("Africa/Johannesburg", 2),
        PageZone("Europe/Istanbul", 3), PageZone("Africa/Nairobi", 3), PageZone("Asia/Dubai", 4),
        PageZone("Asia/Karachi", 5), PageZone("Asia/Kolkata", 5, 30), PageZone("Asia/Dhaka", 6),
        PageZone("Asia/Jakarta", 7), PageZone("Asia/Shanghai", 8), PageZone("Asia/Singapore", 8),
        PageZone("Australia/Perth", 8), PageZone("Asia/Seoul", 9), PageZone("Asia/Tokyo", 9),
        PageZone("Australia/Adelaide", 9, 30, .australia), PageZone("Australia/Brisbane", 10),
        PageZone("Australia/Sydney", 10, 0, .australia), PageZone("Pacific/Auckland", 12, 0, .newZealand),
    ]

    /// Finds a zone by its name; `nil` for any other text.
    package init?(named name: String) {
        guard let zone = Self.all.first(where: { $0.name == name }) else { return nil }
        self = zone
    }

    /// The name for people, such as `New York`.
    package var city: String {
        (name.split(atByte: "/").last ?? "UTC").split(atByte: "_").joined(separator: " ")
    }

    /// The number of seconds by which the zone's clocks are ahead of UTC at a time.
    package func offset(at time: Timestamp) -> Int64 {
        guard let summer, isSummer(time, summer) else { return standard }
        return standard + 3600
    }

    /// The offset for people, such as `UTC+9` or `UTC+5:30`.
    package func label(at time: Timestamp) -> String {
        let offset = offset(at: time)
        if offset == 0 { return "UTC" }
        let minutes = offset.magnitude / 60 % 60
        let sign = offset < 0 ? "-" : "+"
        return "UTC\(sign)\(offset.magnitude / 3600)" + (minutes == 0 ? "" : ":\(minutes < 10 ? "0" : "")\(minutes)")
    }

    private func isSummer(_ time: Timestamp, _ summer: Summer) -> Bool {
        guard let year = Int64(time.adding(seconds: standard).description.prefix(4)) else { return false }
        let second = time.seconds
        switch summer {
        case .europe:
            let (start, end) = (Self.lastSunday(year, 3), Self.lastSunday(year, 10))
            return second >= start + 3600 && second < end + 3600
        case .northAmerica:
            let (start, end) = (Self.sunday(2, year, 3), Self.sunday(1, year, 11))
            // Daylight saving time ends at 02:00 on clocks that are an hour ahead of standard time.
            return second >= start + 7200 - standard && second < end + 3600 - standard
        case .australia:
            let (start, end) = (Self.sunday(1, year, 10), Self.sunday(1, year, 4))
            return second >= start + 7200 - standard || second < end + 7200 - standard
        case .newZealand:
            let (start, end) = (Self.lastSunday(year, 9), Self.sunday(1, year, 4))
            return second >= start + 7200 - standard || second < end + 7200 - standard
        }
    }

    /// Midnight UTC of the Sunday with this number in a month, counted from 1, in POSIX seconds. A number that is too
    /// large leads into the next month.
    private static func sunday(_ number: Int64, _ year: Int64, _ month: Int64) -> Int64 {
        let first = day(year, month, 1)
        // 1 January 1970 was a Thursday.
        let weekday = ((first + 4) % 7 + 7) % 7
        return (first + (7 - weekday) % 7 + (number - 1) * 7) * 86_400
    }

    /// Midnight UTC of the last Sunday of a month with 30 or 31 days, in POSIX seconds.
    private static func lastSunday(_ year: Int64, _ month: Int64) -> Int64 {
        let fifth = sunday(5, year, month)
        let length: Int64 = month == 9 ? 30 : 31
        return fifth < (day(year, month, 1) + length) * 86_400 ? fifth : fifth - 7 * 86_400
    }

    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        func padded(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        return (Timestamp(text: text)?.seconds ?? 0) / 86_400
    }
}

/// The language and the time zone for showing pages to a person.
package struct PageLocale: Sendable, Hashable {
    package var language: PageLanguage
    package var zone: PageZone

    package init(_ language: PageLanguage = .english, zone: PageZone = .utc) {
        self.language = language
        self.zone = zone
    }
}
