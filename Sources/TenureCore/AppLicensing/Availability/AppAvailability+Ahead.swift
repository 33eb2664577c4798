/// Notifications whose own time lies ahead of their receipt: the clock of the sender, or of this server, is wrong.
extension AppAvailability {
    /// How far ahead of its receipt an own time may lie, in seconds, and still be believed.
    public static let tolerance: Int64 = 300

    /// Whether an own time lies further ahead of the receipt than ``tolerance``; both in microseconds since 1970.
    public static func isAhead(_ ownTime: Int64, ofReceipt receipt: Int64) -> Bool {
        ownTime > receipt + tolerance * 1_000_000
    }

    /// When a closing counts from whose own time lies ahead of its receipt: from the receipt, so that an opening that
    /// really came later wins, and yet not before what was told earlier, so that it acts at once.
    ///
    /// Receipts are kept in whole seconds. The result is a microsecond earlier than that, so that an opening in the same
    /// second counts as later. What was told up to ``tolerance`` after the receipt may have come before this closing, from
    /// a sender whose clock is that much ahead.
    ///
    /// - Parameters:
    ///   - ownTime: The closing's own time. All times are in microseconds since 1970.
    ///   - receipt: When it came.
    ///   - names: The packages that it names; empty for the app.
    public func moment(ofClosingAhead ownTime: Int64, receivedAt receipt: Int64, of names: [String]) -> Int64 {
        let latest = min(ownTime, receipt + (Self.tolerance + 1) * 1_000_000)
        let told = [app.toldAt] + names.map { packages[$0]?.toldAt }
        return max(receipt - 1, told.compactMap { $0 }.filter { $0 <= latest }.max() ?? .min)
    }

    /// The state after hearing words in the order of their moments, of one moment the closing ones last, from when nothing
    /// was told.
    /// - Parameter known: The packages that the server knows.
    /// - Returns: The state, and for each word whether it counted, in the order of `words`.
    public static func replaying(
        _ words: [Word], among known: Set<String>
    ) -> (availability: AppAvailability, counted: [Bool]) {
        var availability = AppAvailability()
        var counted = Array(repeating: false, count: words.count)
        let order = words.indices.sorted { one, other in
            let (first, second) = (words[one], words[other])
            if first.moment != second.moment { return first.moment < second.moment }
            if first.isOpen != second.isOpen { return first.isOpen }
            return one < other
        }
        for place in order {
            switch availability.hearing(words[place], among: known) {
            case .outdated: continue
            case .same(let after), .changed(let after): (availability, counted[place]) = (after, true)
            }
        }
        return (availability, counted)
    }
}
