package import TenureCore

/// Parses the dates of HTTP header fields (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// Parses any of the three formats that a recipient must accept; `nil` for anything else.
    ///
    /// The formats are `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37
    /// 1994`. The weekday isn't compared with the date. Two-digit years mean 1970 to 2069.
    package static func read(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        switch words.count {
        case 6 where words[5] == "GMT": return time(year: words[3], month: words[2], day: words[1], clock: words[4])
        case 5: return time(year: words[4], month: words[1], day: words[2], clock: words[3])
        default: return nil
        }
    }

    private static func time(year: Substring, month: Substring, day: Substring, clock: Substring) -> Timestamp? {
        guard let month = months.firstIndex(of: month) else { return nil }
        var year = String(year)
        if year.utf8.count == 2 { year = (year < "70" ? "20" : "19") + year }
        let day = day.utf8.count == 1 ? "0\(day)" : String(day)
        return Timestamp(text: "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day)T\(clock)Z")
    }

    /// The English abbreviations of the months, which e-mail uses, too (RFC 5322 §3.3).
    package static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// Parses the `Retry-After` header field (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The longest wait that is honored, in seconds: one day.
    ///
    /// If a server requests a longer wait, the client contacts it again after one day.
    package static let limit: Int64 = 86_400

    /// Parses the field: a number of seconds or a date; `nil` if it is absent or invalid.
    ///
    /// A date is compared with the response's own `Date`, so that a wrong local clock doesn't matter. If the response
    /// has no `Date`, it is compared with `now`.
    ///
    /// - Parameters:
    ///   - field: The value of `Retry-After`.
    ///   - answered: The value of `Date` in the same response.
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
