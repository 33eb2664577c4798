import TenureCore

/// The reasons for rejecting an account request before any licensing rule is applied.
///
/// The OAuth codes are those of RFC 6749.
extension Reason.Kind {
    /// The reasons of the accounts feature, with a remedy for each.
    static let accountRequests: [Reason.Kind] = [
        Reason.Kind(
            "invalid_request", "A parameter is missing, repeated or invalid.",
            cure: "Correct what error_description names, then send the request again.", since: "0.2"),
        Reason.Kind(
            "invalid_grant", "The code or token has expired, was already used, or belongs to another app.",
            cure: "Ask the user to sign in again.", since: "0.2"),
        Reason.Kind(
            "unsupported_grant_type", "This grant type isn't supported.",
            cure: "Use authorization_code, refresh_token or token exchange.", since: "0.2"),
        Reason.Kind(
            "email_taken", "Another account already uses this e-mail address.",
            cure: "Use another address, or change the other account's address first.", since: "0.2"),
        Reason.Kind(
            "account_deleted", "The account was deleted.", cure: "Use another id; a deleted account's can't be reused.",
            since: "0.2"),
        Reason.Kind(
            "sign_in_over", "This sign-in has already ended.", cure: "Start the sign-in again in the app.",
            since: "0.2"),
    ]
}
