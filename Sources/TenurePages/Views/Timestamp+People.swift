package import TenureCore

extension Timestamp {
    /// The moment as people write it: `21 November 2026, 08:00 UTC`.
    package var forPeople: String {
        let text = description
        let parts = text.split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month) else {
            return text
        }
        return "\(day) \(Self.months[month - 1]) \(parts[0]), \(parts[3]):\(parts[4]) UTC"
    }

    /// How far away it is from a moment: `in 3 days`, `5 hours ago`, `now`.
    package func distance(from now: Timestamp) -> String {
        let seconds = now.seconds(until: self)
        let size = seconds.magnitude
        let (count, unit): (UInt64, String) =
            switch size {
            case ..<60: (0, "")
            case ..<3600: (size / 60, "minute")
            case ..<172_800: (size / 3600, "hour")
            default: (size / 86_400, "day")
            }
        if count == 0 { return "now" }
        let words = "\(count) \(unit)\(count == 1 ? "" : "s")"
        return seconds > 0 ? "in \(words)" : "\(words) ago"
    }

    /// The moment in a page, for people and programs.
    package var markup: Markup { Tag.time(.datetime(description)) { forPeople } }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
