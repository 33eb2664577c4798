public import TenureCore
import TenureFormats

/// Decides what to do after failures, and remembers what that takes: repeats within the hour, and what is owed to people.
///
/// App and extension share one account's budget, so they share one of these: see ``FailureLedger/text``.
public struct FailureLedger: Sendable, Hashable {
    /// What people have to do and were not told yet, the oldest first; at most 64.
    public internal(set) var owed: [OwedPrompt] = []
    /// When requests of an account were repeated within the last hour.
    var repeats: [AccountID: [Timestamp]] = [:]

    /// Remembers nothing.
    public init() {}

    /// Decides about a failure, and counts the repeat where there is one.
    /// - Parameters:
    ///   - canRefresh: Whether a refresh token of the account is kept.
    ///   - canShowUI: False in an extension.
    public mutating func step(
        after failure: FailedRequest, canRefresh: Bool, canShowUI: Bool, at now: Timestamp
    ) -> FailureStep {
        switch failure.meaning {
        case .final(let status): return .giveUp(.refused(status))
        case .unpaid: return tell(.pay(failure.account, failure.item), canShowUI)
        case .unauthorized:
            guard canRefresh, !failure.hasRefreshed else { return tell(.signIn(failure.account), canShowUI) }
            return counted(.refreshToken, failure, at: now)
        case .later:
            let planned = Self.waits[min(max(failure.attempt, 1), Self.waits.count) - 1]
            let wait = RetryAfter.seconds(failure.retryAfter, answered: nil, now: now).map(Int.init) ?? planned
            guard wait <= Self.longestWait else { return .giveUp(.notBefore(now.adding(seconds: Int64(wait)))) }
            return counted(.retry(after: wait), failure, at: now)
        }
    }

    /// Hands over what is owed, when the app starts and can show it; it is owed no more.
    public mutating func takeOwed() -> [OwedPrompt] {
        defer { owed = [] }
        return owed
    }

    /// Forgets that an account owes a sign-in, because it signed in.
    public mutating func didSignIn(_ account: AccountID) {
        owed.removeAll { $0 == .signIn(account) }
    }

    private mutating func tell(_ prompt: OwedPrompt, _ canShowUI: Bool) -> FailureStep {
        if canShowUI {
            return switch prompt {
            case .signIn(let account): .signIn(account)
            case .pay(_, let item): .pay(item)
            }
        }
        if !owed.contains(prompt) { owed = (owed + [prompt]).suffix(Self.mostOwed) }
        return .giveUp(.owed(prompt))
    }

    private mutating func counted(_ step: FailureStep, _ failure: FailedRequest, at now: Timestamp) -> FailureStep {
        guard failure.attempt <= Self.waits.count else { return .giveUp(.attemptsSpent) }
        // A moment that lies ahead was written before the clock was set back; it would count for ever.
        for (account, times) in repeats {
            let recent = times.filter { $0 <= now && $0.seconds(until: now) < 3600 }
            repeats[account] = recent.isEmpty ? nil : recent
        }
        let recent = repeats[failure.account] ?? []
        guard recent.count < Self.mostPerHour else { return .giveUp(.hourSpent) }
        repeats[failure.account] = recent + [now]
        return step
    }

    /// Seconds before the first, second and third repeat of a request; there is no fourth.
    private static let waits = [1, 4, 16]
    /// The system waits a minute for an answer; who is asked to wait longer comes back another time.
    private static let longestWait = 60
    private static let mostPerHour = 10
    static let mostOwed = 64
}
