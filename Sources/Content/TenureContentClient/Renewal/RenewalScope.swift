public import TenureClient
import TenureCore
public import TenureFoundation

/// Which content items to renew, and whether those that aren't due are included.
public enum RenewalScope: Sendable, Hashable {
    /// All items with a license, due or not.
    case all
    /// The items that are due now or within this many seconds.
    case due(within: TimeInterval)
    /// The items that aren't playable.
    case expired
    /// These items, due or not, in this order.
    case items([String])
    /// The items that would stop being playable before this time, due or not.
    case neededThrough(Date)
}

/// The result of renewing one content item.
public enum RenewalOutcome: String, Sendable, Hashable, CaseIterable {
    /// A new version was granted and is on disk.
    case renewed
    /// The stored license stays, because the renewal wasn't due or the server has no newer version.
    case unchanged
    /// The server refused for now; the stored license stays.
    case refused
    /// The license has ended for good and no longer plays here.
    case terminal
    /// The server doesn't have the license and granted no other.
    case invalid
    /// There was no usable response; the renewal is retried later.
    case transient
}

/// The result for one content item of a renewal, reported once per item, by ascending ``index``.
public struct RenewalProgress: Sendable, Hashable {
    /// The item's position in the renewal, starting at 0.
    public let index: Int
    /// The number of items in the renewal.
    public let total: Int
    /// The id of the content item.
    public let content: String
    /// How the renewal of the item ended.
    public let outcome: RenewalOutcome
    /// All reasons for a failure; `nil` after a success.
    public let explanation: Explanation?
    /// What the user can do; `nil` after a success.
    public let recovery: RecoveryOption?
}

/// The overall result of a renewal, with the result of each item.
public struct RenewalReport: Sendable, Hashable {
    /// The results so far, including those from before an interruption.
    public let items: [RenewalProgress]
    /// The number of items in the renewal.
    public let total: Int
    /// Whether the renewal was cancelled before all items were processed.
    public let isCancelled: Bool

    /// The number of items with this outcome.
    public func count(_ outcome: RenewalOutcome) -> Int { items.count { $0.outcome == outcome } }
}

/// An event of a running renewal.
public enum RenewalEvent: Sendable, Hashable {
    /// One item was processed, with this result.
    case progress(RenewalProgress)
    /// The renewal has been completed or cancelled.
    ///
    /// This is the last event.
    case finished(RenewalReport)
}

/// The predicted result of a renewal, from the stored state alone.
public struct RenewalForecast: Sendable, Hashable {
    /// An item whose renewal is expected to be refused, from its terms or the last response.
    public struct Refusal: Sendable, Hashable {
        /// The id of the content item.
        public let content: String
        /// The reasons for the expected refusal.
        public let explanation: Explanation
    }

    /// The items that a renewal of the scope would request, in the order of the requests.
    public let requested: [String]
    /// The requested items that are due.
    public let due: [String]
    /// The requested items that are expected to be refused.
    public let refused: [Refusal]
    /// The requested items that need the user's agreement (`askBeforeRenew`).
    public let unconfirmed: [String]
}

extension RenewalProgress {
    init(_ index: Int, of total: Int, _ result: RenewalResult, isMediaWhole: Bool) {
        self.index = index
        self.total = total
        content = result.content
        outcome = RenewalOutcome(rawValue: result.outcome) ?? .transient
        let isYes = outcome == .renewed || outcome == .unchanged
        let resultExplanation = Explanation(reasons: result.reasons)
        explanation = isYes ? nil : resultExplanation
        recovery =
            isYes
            ? nil
            : RecoveryOption(
                for: resultExplanation?.decided ?? [], isMediaWhole: isMediaWhole || outcome == .terminal)
    }
}
