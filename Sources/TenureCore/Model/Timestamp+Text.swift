extension Timestamp: CustomStringConvertible {
    /// The moment as RFC 3339 text in UTC, such as `2026-11-21T08:00:00Z`; years outside 0...9999 as their POSIX time.
    public var description: String {
        let days =
            seconds >= 0 ? seconds / Self.secondsPerDay : -((Self.secondsPerDay - 1 - seconds) / Self.secondsPerDay)
        let date = CivilDate(daysSinceEpoch: days)
        guard (0...9999).contains(date.year) else { return "\(seconds)s" }
        let second = seconds - days * Self.secondsPerDay
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, to: 2) }
        return "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))"
            + "T\(clock[0]):\(clock[1]):\(clock[2])Z"
    }

    /// Reads RFC 3339 text: a date and a time with `Z` or an offset, fractions of a second dropped; a date alone is its
    /// first moment in UTC. Answers nil for anything else, impossible dates and leap seconds included.
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
    }

    private func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
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
