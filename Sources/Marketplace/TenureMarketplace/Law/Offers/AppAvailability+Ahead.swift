/// Handling of notifications dated later than their receipt, which shows that the sender's or the server's clock is
/// wrong.
extension AppAvailability {
    /// How many seconds after its receipt a notification may be dated and still be trusted.
    public static let tolerance: Int64 = 300

    /// Whether a date is more than ``tolerance`` after the receipt; both are microseconds since 1970.
    public static func isAhead(_ ownTime: Int64, ofReceipt receipt: Int64) -> Bool {
        ownTime > receipt + tolerance * 1_000_000
    }

    /// Returns the time at which a report of unavailability takes effect if it is dated after its receipt.
    ///
    /// Such a report takes effect at its receipt, so that an app that really becomes available later isn't held back.
    /// The time is never earlier than that of a previous report, so that this report always has an effect at once.
    ///
    /// Receipts are stored in whole seconds. The result is one microsecond earlier, so that a report of availability in
    /// the same second counts as later. Previous reports dated up to ``tolerance`` after the receipt are included,
    /// because their sender's clock may be that much ahead.
    ///
    /// All times are microseconds since 1970.
    ///
    /// - Parameters:
    ///   - ownTime: The date in the notification.
    ///   - receipt: When the notification was received.
    ///   - names: The packages that the notification names; empty for the whole app.
    public func time(ofClosingAhead ownTime: Int64, receivedAt receipt: Int64, of names: [String]) -> Int64 {
        let latest = min(ownTime, receipt + (Self.tolerance + 1) * 1_000_000)
        let times = [app.toldAt] + names.map { packages[$0]?.toldAt }
        return max(receipt - 1, times.compactMap { $0 }.filter { $0 <= latest }.max() ?? .min)
    }

    /// Applies reports to an empty state in the order of their times.
    ///
    /// Of several reports with the same time, those of unavailability are applied last.
    ///
    /// - Parameter names: The packages that the server knows.
    /// - Returns: The resulting state, and whether each report had an effect, in the order of `words`.
    public static func replaying(
        _ words: [Word], among names: Set<String>
    ) -> (availability: AppAvailability, counted: [Bool]) {
        var availability = AppAvailability()
        var counted = Array(repeating: false, count: words.count)
        let order = words.indices.sorted { one, other in
            let (first, second) = (words[one], words[other])
            if first.time != second.time { return first.time < second.time }
            if first.isOpen != second.isOpen { return first.isOpen }
            return one < other
        }
        for index in order {
            switch availability.hearing(words[index], among: names) {
            case .outdated: continue
            case .same(let after), .changed(let after): (availability, counted[index]) = (after, true)
            }
        }
        return (availability, counted)
    }
}
