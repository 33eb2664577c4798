/// The length of a term in calendar months and in days, such as `P1Y`, `P1M` or `P14D` (ISO 8601 durations).
///
/// Months are those of the calendar in UTC. A day has 86,400 seconds. The months are added before the days.
public struct TermLength: Sendable, Hashable, CustomStringConvertible {
    /// The calendar months, 0 to ``mostMonths``; a year has twelve.
    public let months: Int

    /// The days of 86,400 seconds, 0 to ``mostDays``.
    public let days: Int

    /// The most months that a length may have: a hundred years.
    public static let mostMonths = 1_200

    /// The most days that a length may have: about a hundred years.
    public static let mostDays = 36_500

    /// Creates a length; returns `nil` if it's empty, or if a part is negative or too large.
    public init?(months: Int = 0, days: Int = 0) {
        guard (0...Self.mostMonths).contains(months), (0...Self.mostDays).contains(days), months + days > 0 else {
            return nil
        }
        self.months = months
        self.days = days
    }

    /// Returns the sum of both lengths, at most the longest possible one.
    public func adding(_ more: TermLength) -> TermLength {
        TermLength(
            months: min(months + more.months, Self.mostMonths), days: min(days + more.days, Self.mostDays)) ?? self
    }

    /// Parses an ISO 8601 duration of years, months, weeks and days, in this order, such as `P1Y6M`.
    ///
    /// Returns `nil` for any other text, including lower-case letters, fractions, times of day and an empty length.
    public init?(text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "P") else { return nil }
        var (months, days) = (0, 0)
        var units: ArraySlice<(letter: UInt8, months: Int, days: Int)> = Self.units[...]
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            // Six digits can't overflow, and are more than any part may have.
            guard (1...6).contains(digits.count) else { return nil }
            let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            rest = rest.dropFirst(digits.count)
            guard let letter = rest.popFirst(), let index = units.firstIndex(where: { $0.letter == letter }) else {
                return nil
            }
            months += number * units[index].months
            days += number * units[index].days
            units = units[(index + 1)...]
        }
        self.init(months: months, days: days)
    }

    private static let units: [(letter: UInt8, months: Int, days: Int)] = [
        (UInt8(ascii: "Y"), 12, 0), (UInt8(ascii: "M"), 1, 0), (UInt8(ascii: "W"), 0, 7), (UInt8(ascii: "D"), 0, 1),
    ]

    /// The shortest text that ``init(text:)`` reads as this length, without weeks.
    public var description: String {
        let parts = [(months / 12, "Y"), (months % 12, "M"), (days, "D")]
        return "P" + parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }
}

extension Timestamp {
    /// Returns the same time of day this many calendar months later, in UTC.
    ///
    /// If the month has no such day, the result is on the month's last day: a month after 31 January is 28 or 29
    /// February.
    public func adding(months: Int) -> Timestamp {
        let (date, time) = (CivilDate(of: self), secondOfDay)
        let count = (date.year * 12 + date.month - 1).addingReportingOverflow(Int64(months))
        guard !count.overflow else { return Timestamp(seconds: months < 0 ? .min : .max) }
        let (year, month) = (count.partialValue.flooredQuotient(12), count.partialValue.flooredRemainder(12) + 1)
        // Far outside the range of a timestamp; computing the day would overflow.
        guard abs(year) < 400_000_000_000 else { return Timestamp(seconds: months < 0 ? .min : .max) }
        let day = min(date.day, CivilDate.length(ofMonth: month, in: year))
        guard let moved = CivilDate(year: year, month: month, day: day) else { return self }
        let (midnight, overflow) = moved.daysSinceEpoch.multipliedReportingOverflow(by: Self.secondsPerDay)
        guard !overflow else { return Timestamp(seconds: months < 0 ? .min : .max) }
        return Timestamp(seconds: midnight).adding(seconds: time)
    }

    /// Returns the time this length later: first the months, then the days.
    public func adding(_ length: TermLength) -> Timestamp { adding(months: length.months).adding(days: length.days) }
}

extension Term {
    /// Creates a term of this length; `nil` makes it perpetual.
    ///
    /// The term ends at ``Timestamp/latest`` at the latest, unless it starts later.
    public init(start: Timestamp, lasting length: TermLength?) {
        guard let length, let term = Term(start: start, end: start.adding(length).bounded(from: start)) else {
            self = .perpetual(from: start)
            return
        }
        self = term
    }

    /// Returns the end of this term after a renewal that adds a length to `base`, which is the term's end or a later
    /// time.
    ///
    /// If `base` lies a number of such lengths, or of whole months, after the start, the new end is counted from the
    /// start. So a term that began on 31 January ends on 28 February, 31 March and 30 April. An end that was moved
    /// within its day counts the same and keeps its time of day. Any other end is counted from `base`.
    package func end(adding length: TermLength, to base: Timestamp) -> Timestamp {
        let distances = start.multiples(of: length, near: base) + start.months(near: base)
        let reached =
            distances.first { start.adding($0) == base } ?? distances.first { start.adding($0).isSameDay(asEnd: base) }
        guard let reached else { return base.adding(length) }
        let timeOfDay = start.adding(reached).startOfDay.seconds(until: base)
        return start.adding(reached.adding(length)).startOfDay.adding(seconds: timeOfDay)
    }
}

/// A number of months and a number of days after the start of a term; unlike in a ``TermLength``, neither is bounded.
private struct Distance {
    let months: Int
    let days: Int

    func adding(_ length: TermLength) -> Distance {
        Distance(months: months + length.months, days: days + length.days)
    }
}

extension Timestamp {
    /// Returns this time, but at most ``latest``, or at most `start` if the period starts after ``latest``.
    package func bounded(from start: Timestamp) -> Timestamp { min(self, max(.latest, start)) }

    fileprivate func adding(_ distance: Distance) -> Timestamp {
        adding(months: distance.months).adding(days: distance.days)
    }

    /// 00:00 UTC of the day.
    fileprivate var startOfDay: Timestamp { adding(seconds: -secondOfDay) }

    /// Whether an end lies on the same day in UTC; 24:00 belongs to the day that it ends.
    fileprivate func isSameDay(asEnd end: Timestamp) -> Bool {
        (0...Self.secondsPerDay).contains(startOfDay.seconds(until: end))
    }

    /// The multiples of a length of months and days that may lead from this time to `end`.
    fileprivate func multiples(of length: TermLength, near end: Timestamp) -> [Distance] {
        guard length.months > 0, length.days > 0, end >= self, end <= .latest else { return [] }
        let count = Int(seconds(until: end) / (Int64(length.months) * 2_629_746 + Int64(length.days) * 86_400))
        return (max(count - 1, 0)...count + 1).map { Distance(months: $0 * length.months, days: $0 * length.days) }
    }

    /// The whole months that may lead from this time to `end`, which at 00:00 may belong to the day before.
    fileprivate func months(near end: Timestamp) -> [Distance] {
        guard end >= self, end <= .latest else { return [] }
        let (date, last) = (CivilDate(of: self), CivilDate(of: end))
        let months = Int((last.year - date.year) * 12 + last.month - date.month)
        return [months, months - 1].filter { $0 >= 0 }.map { Distance(months: $0, days: 0) }
    }
}
