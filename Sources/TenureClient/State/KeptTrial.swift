package import TenureCore

/// The trial of this device, as it is kept.
package enum KeptTrial: Sendable, Hashable, Codable {
    /// Nobody started one.
    case notStarted
    /// Started here while no server could be asked, for the length that was known then.
    case local(start: Moment, days: Int)
    /// Started and signed by the server: the first write of this device wins.
    case signed(start: Moment, days: Int)

    /// The first moment of the trial; nil when there is none.
    package var start: Moment? {
        switch self {
        case .notStarted: nil
        case .local(let start, _), .signed(let start, _): start
        }
    }

    /// How many days it lasts: what the server signed for this device, else what the vendor says now, else what the
    /// app was built with.
    package func length(under terms: ProductTerms?) -> Int {
        switch self {
        case .notStarted: 0
        case .local(_, let days): terms?.trialDays ?? days
        case .signed(_, let days): days
        }
    }

    /// The first moment after the trial; nil when there is none, or it has no days.
    package func end(under terms: ProductTerms?) -> Timestamp? {
        let days = length(under: terms)
        guard let start, days > 0 else { return nil }
        return start.timestamp.adding(days: days)
    }

    /// The begun days that are left: all of them in the first 24 hours, 1 in the last, 0 when it is over or there is
    /// none (`spec/keylight.md` §1.4).
    package func daysLeft(under terms: ProductTerms?, at now: Timestamp) -> Int {
        guard let start, let end = end(under: terms), now < end else { return 0 }
        let elapsed = max(0, start.timestamp.seconds(until: now))
        return length(under: terms) - Int(elapsed / Self.day)
    }

    /// When the number of days left changes next; nil when it no longer does.
    package func nextDay(under terms: ProductTerms?, at now: Timestamp) -> Timestamp? {
        let left = daysLeft(under: terms, at: now)
        guard left > 0, let end = end(under: terms) else { return nil }
        return end.adding(days: 1 - left)
    }

    private static let day: Int64 = 86_400
}
