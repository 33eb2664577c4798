import Glibc

/// The `Date` field of responses (RFC 9110, 6.6.1), formatted once a second.
struct DateField {
    private var second: time_t?
    private var line: [UInt8] = []

    /// Appends the field with the current date.
    mutating func append(to bytes: inout [UInt8]) {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        if time.tv_sec != second { format(time.tv_sec) }
        bytes.append(contentsOf: line)
    }

    /// The program never sets a locale, so names are English.
    private mutating func format(_ time: time_t) {
        var (seconds, date) = unsafe (time, tm())
        _ = unsafe gmtime_r(&seconds, &date)
        second = time
        line = unsafe Array(unsafeUninitializedCapacity: 64) { bytes, count in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                unsafe count = strftime(text.baseAddress!, 64, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &date)
            }
        }
    }
}
