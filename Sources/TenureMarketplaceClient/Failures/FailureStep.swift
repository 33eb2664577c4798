public import TenureCore

/// What to do after a failure.
public enum FailureStep: Sendable, Hashable {
    /// Get another access token with the refresh token, then let the system send the request again.
    case refreshToken
    /// Let the system send the request again after so many seconds, at most 60.
    case retry(after: Int)
    /// Show the person how to sign in; the request is not sent again by itself.
    case signIn(AccountID)
    /// Show the shop, at this app where it was about one; the request is not sent again by itself.
    case pay(AppleItemID?)
    /// Answer `false` to the system.
    case giveUp(Cause)

    /// Why nothing more is tried.
    public enum Cause: Sendable, Hashable {
        /// The server answered this status, and another try would not change it.
        case refused(Int)
        /// The request was repeated three times.
        case attemptsSpent
        /// The account's requests were repeated ten times within an hour.
        case hourSpent
        /// The server asks for more patience than a request has; not before then.
        case notBefore(Timestamp)
        /// A person has to do something and no UI can be shown here: it is kept, and told when the app starts.
        case owed(OwedPrompt)
    }
}

/// What a person has to do, kept while nothing can be shown.
public enum OwedPrompt: Sendable, Hashable {
    /// Sign in to the account.
    case signIn(AccountID)
    /// Pay, for this app where it was about one.
    case pay(AccountID, AppleItemID?)

    /// Whose it is.
    public var account: AccountID {
        switch self {
        case .signIn(let account), .pay(let account, _): account
        }
    }
}
