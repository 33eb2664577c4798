public import TenureCore

/// When to ask for updates.
public enum UpdatePoll {
    /// Seconds between two questions: `updates.pollingInterval`, which is hours, and never less than a day. One that is
    /// missing or not above zero is a day; above a week it is a week: whoever writes 43200 meant seconds.
    public static func interval(pollingInterval hours: Int?) -> Int64 {
        Int64(min(max(hours ?? 24, 24), 168)) * 3600
    }

    /// Whether it is time. A last question from ahead of the clock is none: the clock was set back.
    public static func isDue(last: Timestamp?, pollingInterval hours: Int?, at now: Timestamp) -> Bool {
        guard let last, last <= now else { return true }
        return last.seconds(until: now) >= interval(pollingInterval: hours)
    }
}
