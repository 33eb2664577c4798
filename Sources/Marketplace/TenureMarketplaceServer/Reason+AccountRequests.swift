import TenureCore

/// The reasons for rejecting an account request before any licensing rule is applied.
///
/// The OAuth codes are those of RFC 6749.
extension Reason.Kind {
    /// The reasons of the accounts feature, with a remedy for each.
    static let accountRequests: [Reason.Kind] = [
        Reason.Kind(
            "invalid_request", "A parameter is missing, there twice, or not what it must be.",
            cure: "Read error_description, and send the request again.", since: "0.2"),
        Reason.Kind(
            "invalid_grant", "The code or the token does not work: it is over, was used, or is another app's.",
            cure: "Let the person sign in again.", since: "0.2"),
        Reason.Kind(
            "unsupported_grant_type", "There is no such way to get a token.",
            cure: "Use authorization_code, refresh_token or token exchange.", since: "0.2"),
        Reason.Kind(
            "email_taken", "Another account has the e-mail address.",
            cure: "Use another address, or give that account another one first.", since: "0.2"),
        Reason.Kind(
            "sign_in_over", "The sign-in was ended already.", cure: "Let the person begin again in the app.",
            since: "0.2"),
    ]
}
