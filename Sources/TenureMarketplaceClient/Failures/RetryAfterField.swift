import TenureCore

/// Reads `Retry-After` (RFC 9110 §10.2.3).
enum RetryAfterField {
    /// Seconds to wait from now; nil for a field that is missing or is neither seconds nor a date. A date that has
    /// passed is 0.
    static func seconds(_ field: String?, at now: Timestamp) -> Int? {
        guard let field, field.utf8.count <= 64 else { return nil }
        if !field.isEmpty, field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int(field) ?? .max }
        guard let moment = date(field) else { return nil }
        return Int(clamping: max(0, now.seconds(until: moment)))
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers may still write.
    private static func date(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", parts[0].hasSuffix(","),
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        return Timestamp(text: "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
