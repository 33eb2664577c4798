package import TenureCore
package import TenureHTTPClient

/// How long a server asks to wait (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The longest wait that is believed, in seconds: a day. A server that asks for more is asked again then.
    package static let limit: Int64 = 86_400

    /// Reads the field: seconds, or a date that is counted from the answer's own `Date`, so that a wrong clock here does
    /// not matter, or without one from `now`. Answers nil when there is none, or none that can be read.
    package static func seconds(in fields: HTTPFields, now: Timestamp) -> Int64? {
        guard let text = fields["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Int64(text) ?? limit, limit)
        }
        guard let date = HTTPDate.read(text) else { return nil }
        let from = fields["Date"].flatMap(HTTPDate.read) ?? now
        return min(max(from.seconds(until: date), 0), limit)
    }
}
