import TenureCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A date of the Gregorian calendar and a time of day.
// The C library converts the time, because `FoundationEssentials` doesn't know the device's time zone.
struct CalendarTime {
    let year: Int
    let month: Int
    let day: Int
    /// The time of day, such as `09:05`.
    let time: String

    /// Converts a time; `nil` if it's beyond the calendar of the C library.
    ///
    /// - Parameter offset: The seconds by which the time zone is ahead of UTC; `nil` for the device's time zone.
    init?(_ timestamp: Timestamp, offset: Int?) {
        var seconds = time_t(timestamp.adding(seconds: Int64(offset ?? 0)).seconds)
        var parts = tm()
        guard (offset == nil ? localtime_r(&seconds, &parts) : gmtime_r(&seconds, &parts)) != nil else { return nil }
        year = Int(parts.tm_year) + 1900
        month = Int(parts.tm_mon) + 1
        day = Int(parts.tm_mday)
        let (hour, minute) = (parts.tm_hour, parts.tm_min)
        time = (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)"
    }
}
