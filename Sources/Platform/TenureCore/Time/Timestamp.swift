/// A point in time in whole POSIX seconds: since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Arithmetic saturates at the smallest and largest representable time instead of overflowing.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before it.
    public let seconds: Int64

    /// Creates a timestamp from POSIX seconds.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Returns the time this many seconds later, or earlier if negative.
    public func adding(seconds more: Int64) -> Timestamp {
        let (sum, overflow) = seconds.addingReportingOverflow(more)
        guard overflow else { return Timestamp(seconds: sum) }
        return Timestamp(seconds: more < 0 ? .min : .max)
    }

    /// Returns the time this many days of 86,400 seconds later, or earlier if negative.
    public func adding(days: Int) -> Timestamp {
        let (product, overflow) = Int64(days).multipliedReportingOverflow(by: Timestamp.secondsPerDay)
        guard overflow else { return adding(seconds: product) }
        return Timestamp(seconds: days < 0 ? .min : .max)
    }

    /// Returns the seconds from this time to the other; negative if the other is earlier.
    public func seconds(until other: Timestamp) -> Int64 {
        let (difference, overflow) = other.seconds.subtractingReportingOverflow(seconds)
        guard overflow else { return difference }
        return other < self ? .min : .max
    }

    /// Compares two times.
    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        one.seconds < other.seconds
    }

    /// The last time that can be written as RFC 3339 text: 9999-12-31T23:59:59Z.
    ///
    /// No term, enrolment or other period that a vendor sets ends later.
    public static let latest = Timestamp(seconds: 253_402_300_799)

    package static let secondsPerDay: Int64 = 86_400
}

extension Timestamp: CustomStringConvertible {
    /// The time as RFC 3339 text in UTC, such as `2026-11-21T08:00:00Z`.
    ///
    /// A time whose year is outside 0...9999 is written as POSIX seconds with the suffix `s`.
    public var description: String {
        let date = CivilDate(of: self)
        guard (0...9999).contains(date.year) else { return "\(seconds)s" }
        let second = secondOfDay
        var text: [UInt8] = []
        text.reserveCapacity(20)
        text.append(date.year, digits: 4, then: "-")
        text.append(date.month, digits: 2, then: "-")
        text.append(date.day, digits: 2, then: "T")
        text.append(second / 3600, digits: 2, then: ":")
        text.append(second / 60 % 60, digits: 2, then: ":")
        text.append(second % 60, digits: 2, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses RFC 3339 text with `Z` or an offset.
    ///
    /// Fractions of a second are dropped. A date without a time means the start of that day, 00:00 UTC; for an end, use
    /// ``init(endText:)``. The result is `nil` for any other text, including impossible dates, leap seconds, and dates
    /// that lie outside the years 0 to 9999 in UTC.
    public init?(text: String) {
        var rest = Array(text.utf8)[...]
        guard let year = rest.digits(4), rest.drop("-"), let month = rest.digits(2), rest.drop("-"),
            let day = rest.digits(2), let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let midnight = date.daysSinceEpoch * Self.secondsPerDay
        guard !rest.isEmpty else {
            self.init(seconds: midnight)
            return
        }
        guard rest.drop("T") || rest.drop("t"), let hour = rest.digits(2), hour < 24, rest.drop(":"),
            let minute = rest.digits(2), minute < 60, rest.drop(":"), let second = rest.digits(2), second < 60
        else { return nil }
        if rest.drop(".") {
            guard rest.digits(1) != nil else { return nil }
            while rest.digits(1) != nil {}
        }
        guard let offset = rest.offsetSeconds(), rest.isEmpty else { return nil }
        self.init(seconds: midnight + hour * 3600 + minute * 60 + second - offset)
        guard (Self.earliest...Self.latest).contains(self) else { return nil }
    }

    /// The first time that can be written as RFC 3339 text: 0000-01-01T00:00:00Z.
    private static let earliest = Timestamp(seconds: -62_167_219_200)

    /// Parses the end of a period, like ``init(text:)``.
    ///
    /// A date without a time means the end of that day, 24:00 UTC, so that the whole day belongs to the period. For
    /// 9999-12-31 it's ``latest``.
    public init?(endText text: String) {
        guard let time = Timestamp(text: text) else { return nil }
        // `2027-01-31` has ten bytes, and every text with a time has more.
        self = text.utf8.count > 10 ? time : min(time.adding(days: 1), .latest)
    }

    /// The seconds since midnight UTC, 0 to 86,399.
    var secondOfDay: Int64 { seconds.flooredRemainder(Self.secondsPerDay) }
}

extension Int64 {
    /// The quotient rounded down, also for negative numbers; the divisor is positive.
    func flooredQuotient(_ divisor: Int64) -> Int64 { self / divisor - (self % divisor < 0 ? 1 : 0) }

    /// The remainder of the division that ``flooredQuotient(_:)`` rounds down: 0 to `divisor - 1`.
    func flooredRemainder(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension [UInt8] {
    /// Appends the last `digits` digits of a number (2 or 4), followed by `mark`.
    fileprivate mutating func append(_ number: Int64, digits: Int, then mark: Unicode.Scalar) {
        var weight: Int64 = digits == 4 ? 1_000 : 10
        while weight > 0 {
            append(0x30 + UInt8(number / weight % 10))
            weight /= 10
        }
        append(UInt8(ascii: mark))
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func drop(_ character: Unicode.Scalar) -> Bool {
        guard let first, UInt32(first) == character.value else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func digits(_ count: Int) -> Int64? {
        guard self.count >= count else { return nil }
        var value: Int64 = 0
        for byte in prefix(count) {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 0x30)
        }
        removeFirst(count)
        return value
    }

    fileprivate mutating func offsetSeconds() -> Int64? {
        if drop("Z") || drop("z") { return 0 }
        let sign: Int64 = if drop("+") { 1 } else if drop("-") { -1 } else { 0 }
        guard sign != 0, let hours = digits(2), hours < 24, drop(":"), let minutes = digits(2), minutes < 60 else {
            return nil
        }
        return sign * (hours * 3600 + minutes * 60)
    }
}

/// A day of the proleptic Gregorian calendar.
///
/// The conversions count in eras of 400 years that begin on 1 March, so that the leap day is each cycle's last.
struct CivilDate: Hashable {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Returns `nil` for a date that doesn't exist, such as 30 February.
    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Self.length(ofMonth: month, in: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day of a time in UTC.
    init(of time: Timestamp) {
        self.init(daysSinceEpoch: time.seconds.flooredQuotient(Timestamp.secondsPerDay))
    }

    /// The number of days in a month from 1 to 12.
    static func length(ofMonth month: Int64, in year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    init(daysSinceEpoch days: Int64) {
        let shifted = days + Self.epochOffset
        let era = (shifted >= 0 ? shifted : shifted - (Self.daysPerEra - 1)) / Self.daysPerEra
        let dayOfEra = shifted - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSinceEpoch: Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
        let yearOfEra = yearFromMarch - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.epochOffset
    }

    /// Days from 0000-03-01 to 1970-01-01.
    private static let epochOffset: Int64 = 719_468
    private static let daysPerEra: Int64 = 146_097
}
