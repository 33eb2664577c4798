public import Foundation
public import TenureClient
import TenureCore

/// Which contents are to be renewed.
public enum RenewalScope: Sendable, Hashable {
    /// All that are kept, due or not.
    case all
    /// Those that are due, or will be within so many seconds.
    case due(within: TimeInterval)
    /// Those that do not play any more.
    case expired
    /// These, due or not, in this order.
    case items([String])
    /// Those that would stop before that moment, however far it is.
    case neededThrough(Date)
}

/// What a renewal of one content came to.
public enum RenewalOutcome: String, Sendable, Hashable, CaseIterable {
    /// There is a new version, and it is on disk.
    case renewed
    /// It was not due, or the server has nothing newer.
    case unchanged
    /// No for now; what is here stays.
    case refused
    /// No for good: it no longer plays here.
    case terminal
    /// The server knows no such license, and gave no other.
    case invalid
    /// Nobody could tell; it is tried again later.
    case transient
}

/// What a renewal of one content came to, in a running renewal: told once for each, in order.
public struct RenewalProgress: Sendable, Hashable {
    /// Which of them it is, from 0 on.
    public let index: Int
    /// How many there are.
    public let total: Int
    /// Which content.
    public let content: String
    /// What it came to.
    public let outcome: RenewalOutcome
    /// Why not, all the reasons; nil for a yes.
    public let explanation: Explanation?
    /// What a person may do; nil for a yes.
    public let recovery: RecoveryOption?
}

/// What a renewal came to as a whole.
public struct RenewalReport: Sendable, Hashable {
    /// All that was told, of earlier parts of a renewal that was cut off too.
    public let items: [RenewalProgress]
    /// How many it was about.
    public let total: Int
    /// Whether it was cancelled before all were asked about.
    public let isCancelled: Bool

    /// How many came to that.
    public func count(_ outcome: RenewalOutcome) -> Int { items.count { $0.outcome == outcome } }
}

/// What is told of a running renewal.
public enum RenewalEvent: Sendable, Hashable {
    /// One content was answered.
    case progress(RenewalProgress)
    /// All were, or nobody waits any more. The last that is told.
    case finished(RenewalReport)
}

/// What a renewal would come to, as far as it is known here; nobody is asked.
public struct RenewalForecast: Sendable, Hashable {
    /// A content that would be refused, as it was the last time or as its terms say.
    public struct Refusal: Sendable, Hashable {
        /// Which content.
        public let content: String
        /// Why.
        public let explanation: Explanation
    }

    /// The contents that would be asked about, in order.
    public let asked: [String]
    /// Those of them that are due.
    public let due: [String]
    /// Those of them that are known to be refused.
    public let refused: [Refusal]
    /// Those of them that the person is asked about before (`askBeforeRenew`).
    public let unconfirmed: [String]
}

extension RenewalProgress {
    init(_ index: Int, of total: Int, _ result: RenewalResult, isMediaWhole: Bool) {
        self.index = index
        self.total = total
        content = result.content
        outcome = RenewalOutcome(rawValue: result.outcome) ?? .transient
        let isYes = outcome == .renewed || outcome == .unchanged
        let told = Explanation(told: result.reasons)
        explanation = isYes ? nil : told
        recovery =
            isYes
            ? nil
            : RecoveryOption(
                for: told?.decided ?? [], isMediaWhole: isMediaWhole || outcome == .terminal)
    }
}
