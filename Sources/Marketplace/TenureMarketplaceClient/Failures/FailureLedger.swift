public import TenureCore
import TenureFormats

/// Decides on the next step after failed requests, and stores the retries of the last hour and the pending prompts.
///
/// The app and its extension share one retry budget per account, so they must share one ledger; see
/// ``FailureLedger/text``.
public struct FailureLedger: Sendable, Hashable {
    /// Prompts that haven't been shown yet, the oldest first; at most 64.
    public internal(set) var owed: [OwedPrompt] = []
    /// When requests were repeated within the last hour, by account.
    var repeats: [AccountID: [Timestamp]] = [:]

    /// Creates a ledger without retries and prompts.
    public init() {}

    /// Decides on the next step after a failure. If the step is a retry, counts it.
    /// - Parameters:
    ///   - canRefresh: Whether a refresh token of the account is stored.
    ///   - canShowUI: `false` in an extension.
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

    /// Returns the pending prompts and removes them; call it when the app starts and can show them.
    public mutating func takeOwed() -> [OwedPrompt] {
        defer { owed = [] }
        return owed
    }

    /// Removes an account's pending sign-in prompt, because the user has signed in to the account.
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
        // A time in the future was recorded before the clock was set back. Without this filter, it would count until
        // the clock reaches it again.
        for (account, times) in repeats {
            let recent = times.filter { $0 <= now && $0.seconds(until: now) < 3600 }
            repeats[account] = recent.isEmpty ? nil : recent
        }
        let recent = repeats[failure.account] ?? []
        guard recent.count < Self.mostPerHour else { return .giveUp(.hourSpent) }
        repeats[failure.account] = recent + [now]
        return step
    }

    /// The seconds to wait before the first, second and third retry; there is no fourth.
    private static let waits = [1, 4, 16]
    /// The longest wait in seconds: the system waits a minute for a response.
    private static let longestWait = 60
    private static let mostPerHour = 10
    static let mostOwed = 64
}
