public import TenureCore

/// The next step after a failed request.
public enum FailureStep: Sendable, Hashable {
    /// Get a new access token with the refresh token, then let the system send the request again.
    case refreshToken
    /// Let the system send the request again after this many seconds, at most 60.
    case retry(after: Int)
    /// Ask the user to sign in to this account; the request isn't sent again automatically.
    case signIn(AccountID)
    /// Show the shop, at this app if the request was about one; the request isn't sent again automatically.
    case pay(ItemID?)
    /// Return `false` to the system, for this cause, so that it doesn't send the request again.
    case giveUp(Cause)

    /// Why the request isn't tried again.
    public enum Cause: Sendable, Hashable {
        /// The server responded with this status, and trying again wouldn't change it.
        case refused(Int)
        /// The request has been repeated three times.
        case attemptsSpent
        /// The account's requests have been repeated ten times within an hour.
        case hourSpent
        /// The server requires a longer wait than a request may take; try again at this time.
        case notBefore(Timestamp)
        /// The user has to act, but an extension can't show UI; the prompt is stored until the app starts.
        case owed(OwedPrompt)
    }
}

/// A prompt for the user, stored until the app can show UI.
public enum OwedPrompt: Sendable, Hashable {
    /// Ask the user to sign in to the account.
    case signIn(AccountID)
    /// Ask the user to pay; for this app, if the request was about one.
    case pay(AccountID, ItemID?)

    /// The account that the prompt is for.
    public var account: AccountID {
        switch self {
        case .signIn(let account), .pay(let account, _): account
        }
    }
}
