import Glibc
import TenureHTTP

extension Response {
    /// The answer as it is sent where the library cannot send it: the last one of a connection.
    func lastBytes(on date: HTTPDate) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.phrase(of: status))\r\n"
        for field in headers.fields where !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) {
            head += "\(field.name): \(field.value)\r\n"
        }
        head += "Date: \(date.text)\r\nContent-Length: \(body.bytes.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body.bytes
    }

    private static func phrase(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 413: "Content Too Large"
        case 431: "Request Header Fields Too Large"
        case 505: "HTTP Version Not Supported"
        default: "Rejected"
        }
    }
}

/// A moment as header fields write it (RFC 9110, 5.6.7).
struct HTTPDate {
    /// Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    let text: String

    /// The present moment.
    static var now: HTTPDate { HTTPDate(seconds: time(nil)) }

    /// A moment in POSIX seconds.
    init(seconds: Int) {
        var (moment, parts) = unsafe (seconds, tm())
        unsafe gmtime_r(&moment, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.two($0) }.joined(separator: ":")
        text =
            unsafe "\(days[Int(parts.tm_wday)]), \(Self.two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1900) \(clock) GMT"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
