import Glibc
package import TenureCore

extension Timestamp {
    /// The time for people, in the time zone of the process: `8 December 2026, 19:39 CET`.
    ///
    /// Output for programs uses ``description``, which is in UTC.
    package var local: String {
        var time = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&time, &parts) != nil else { return description }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let start = text.baseAddress, unsafe strftime(start, 64, "%-d %B %Y, %H:%M %Z", &parts) > 0 else {
                return description
            }
            return unsafe String(cString: start)
        }
    }
}

extension String {
    /// The text with every date and time in UTC (`2026-12-08T18:39:00Z`) replaced by its form for people.
    package var withLocalDates: String {
        replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z/) { found in
            Timestamp(text: String(found.output))?.local ?? String(found.output)
        }
    }
}

extension Reason.Evidence {
    /// The value as text, with a date in the process's time zone.
    package var textForPeople: String {
        guard case .date(let date) = value else { return value.text }
        return date.local
    }
}
