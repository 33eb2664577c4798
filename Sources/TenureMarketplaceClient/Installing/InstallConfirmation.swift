public import TenureCore

/// A token that the system wants before it installs, as the server gave it.
public struct GivenInstallToken: Sendable, Hashable {
    /// Whom it was given to.
    public var account: AccountID
    /// The app that it is good for.
    public var item: AppleItemID
    /// The token's text.
    public var text: String
    /// When it came, by this device's clock.
    public var receivedAt: Timestamp

    /// Tells of a token.
    public init(account: AccountID, item: AppleItemID, text: String, receivedAt: Timestamp) {
        self.account = account
        self.item = item
        self.text = text
        self.receivedAt = receivedAt
    }
}

/// What to answer when the system asks to confirm an install.
public enum InstallConfirmation: Sendable, Hashable {
    /// Answer `cancel`.
    case cancel(Cause)
    /// Show the shop; ask again when the person has paid.
    case payFirst
    /// Ask the server for a token, then decide again.
    case fetchToken
    /// Answer `confirmed` with this token.
    case confirmed(String)

    /// Why an install does not begin.
    public enum Cause: String, Sendable, Hashable {
        /// Nobody is signed in.
        case signedOut
        /// The marketplace does not have the app for this account or device.
        case unavailable
        /// The person did not want to pay.
        case declined
    }

    /// What the account may have of the app, as the server told.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
        /// It may have it.
        case granted
        /// It may have it for money: 402, `purchase_required` or `subscription_expired`.
        case forSale
        /// It may not: 404.
        case unavailable
    }

    /// What became of paying.
    public enum Payment: String, Sendable, Hashable, CaseIterable {
        /// Nothing was asked for yet.
        case notAsked
        /// The person paid; the server's older word about the grant no longer counts.
        case paid
        /// The person did not want to.
        case declined
    }

    /// Decides.
    ///
    /// Tokens are good for ten minutes, and a purchase sheet stays open for as long as a person likes: one that is older
    /// than eight is not handed to the system, nor one for another account or app, nor one from ahead of the clock.
    public static func decide(
        _ item: AppleItemID, for account: AccountID?, grant: Grant, payment: Payment, token: GivenInstallToken?,
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
