package import TenureCore

/// The dates of HTTP's header fields (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// Reads any of the three forms that a recipient must accept; nil for anything else.
    ///
    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. The name of the
    /// day is not compared with the date. A year of two digits is read as 1970 to 2069.
    package static func read(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        switch words.count {
        case 6 where words[5] == "GMT": return moment(year: words[3], month: words[2], day: words[1], clock: words[4])
        case 5: return moment(year: words[4], month: words[1], day: words[2], clock: words[3])
        default: return nil
        }
    }

    private static func moment(year: Substring, month: Substring, day: Substring, clock: Substring) -> Timestamp? {
        guard let month = months.firstIndex(of: month) else { return nil }
        var year = String(year)
        if year.utf8.count == 2 { year = (year < "70" ? "20" : "19") + year }
        let day = day.utf8.count == 1 ? "0\(day)" : String(day)
        return Timestamp(text: "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day)T\(clock)Z")
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// How long a server asks to wait (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The longest wait that is believed, in seconds: a day. A server that asks for more is asked again then.
    package static let limit: Int64 = 86_400

    /// Reads the field: seconds, or a date that is counted from the answer's own `Date`, so that a wrong clock here does
    /// not matter, or without one from `now`. Answers nil when there is none, or none that can be read.
    /// - Parameters:
    ///   - field: `Retry-After`.
    ///   - answered: `Date` of the same answer.
    package static func seconds(_ field: String?, answered: String?, now: Timestamp) -> Int64? {
        guard let text = field else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Int64(text) ?? limit, limit)
        }
        guard let date = HTTPDate.read(text) else { return nil }
        let from = answered.flatMap(HTTPDate.read) ?? now
        return min(max(from.seconds(until: date), 0), limit)
    }
}
