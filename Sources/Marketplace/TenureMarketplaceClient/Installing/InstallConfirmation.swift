public import TenureCore

/// An installation token that the server issued, which the system requires before it installs the app.
public struct GivenInstallToken: Sendable, Hashable {
    /// The account that the server issued the token to.
    public var account: AccountID
    /// The app that the token allows to install.
    public var item: ItemID
    /// The token as the server sent it.
    public var text: String
    /// When the token was received, by this device's clock.
    public var receivedAt: Timestamp

    /// Creates a value from its parts.
    public init(account: AccountID, item: ItemID, text: String, receivedAt: Timestamp) {
        self.account = account
        self.item = item
        self.text = text
        self.receivedAt = receivedAt
    }
}

/// The answer to the system's request to confirm an installation, or the step before it.
public enum InstallConfirmation: Sendable, Hashable {
    /// Answer `cancel`, for this reason.
    case cancel(Cause)
    /// Show the shop; decide again once the user has paid.
    case payFirst
    /// Request a token from the server, then decide again.
    case fetchToken
    /// Answer `confirmed` with this token.
    case confirmed(String)

    /// Why an installation is cancelled.
    public enum Cause: String, Sendable, Hashable {
        /// No account is signed in.
        case signedOut
        /// The marketplace doesn't offer the app to this account or device.
        case unavailable
        /// The user declined to pay.
        case declined
    }

    /// Whether the account may install the app, according to the server.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
        /// The account may install the app.
        case granted
        /// The account has to pay first: 402, `purchase_required` or `subscription_expired`.
        case forSale
        /// The app isn't available to the account: 404.
        case unavailable
    }

    /// The result of a request to the user to pay.
    public enum Payment: String, Sendable, Hashable, CaseIterable {
        /// The user hasn't been asked.
        case notAsked
        /// The user paid; this overrides an earlier `forSale` from the server.
        case paid
        /// The user declined to pay.
        case declined
    }

    /// Decides on the answer to the system, or on the step before it.
    ///
    /// Tokens are valid for ten minutes, but a purchase sheet may stay open for longer. Therefore, a token is used only
    /// if it was received within the last eight minutes, for the same account and app.
    public static func decide(
        _ item: ItemID, for account: AccountID?, grant: Grant, payment: Payment, token: GivenInstallToken?,
        at now: Timestamp
    ) -> InstallConfirmation {
        guard let account else { return .cancel(.signedOut) }
        switch (grant, payment) {
        case (.unavailable, _): return .cancel(.unavailable)
        case (.forSale, .notAsked): return .payFirst
        case (.forSale, .declined): return .cancel(.declined)
        case (.granted, _), (.forSale, .paid): break
        }
        guard let token, token.account == account, token.item == item, !token.text.isEmpty,
            token.receivedAt <= now, token.receivedAt.seconds(until: now) <= longestAge
        else { return .fetchToken }
        return .confirmed(token.text)
    }

    private static let longestAge: Int64 = 8 * 60
}
