public import TenureCore

/// A request that the system sent to the marketplace for an account, and what came instead of an OK.
public struct FailedRequest: Sendable, Hashable {
    /// Whose request it was.
    public var account: AccountID
    /// The app that it was about, where it was about one.
    public var item: AppleItemID?
    /// The answer's status; nil when there was no answer.
    public var status: Int?
    /// `code` of the answer's body, where that is a problem of this server.
    public var code: String?
    /// The answer's `Content-Type`.
    public var contentType: String?
    /// The answer's `Retry-After`; a day is the most that is believed.
    public var retryAfter: String?
    /// How often this request has been sent, this time included: 1 at first.
    public var attempt: Int
    /// Whether a token was refreshed for this request already.
    public var hasRefreshed: Bool

    /// Tells of a failure.
    public init(
        account: AccountID, item: AppleItemID? = nil, status: Int?, code: String? = nil, contentType: String? = nil,
        retryAfter: String? = nil, attempt: Int = 1, hasRefreshed: Bool = false
    ) {
        self.account = account
        self.item = item
        self.status = status
        self.code = code
        self.contentType = contentType
        self.retryAfter = retryAfter
        self.attempt = attempt
        self.hasRefreshed = hasRefreshed
    }
}

extension FailedRequest {
    /// What a status means, whatever may be done about it.
    enum Meaning: Sendable, Hashable {
        /// The account's token is missing or no good.
        case unauthorized
        /// There is something to pay.
        case unpaid
        /// It may work later: a busy server, or a network that stands between.
        case later
        /// The server's word, which another try does not change.
        case final(Int)
    }

    /// A 403 that is neither JSON nor has a code comes from a proxy or a captive portal: it says nothing about an account.
    var meaning: Meaning {
        switch status {
        case 401: .unauthorized
        case 402: .unpaid
        case 403: code != nil || isJSON ? .unauthorized : .later
        case nil, 407, 408, 429: .later
        case .some(500...599): .later
        case .some(let other): .final(other)
        }
    }

    private var isJSON: Bool {
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        return type == "application/json" || (type.hasPrefix("application/") && type.hasSuffix("+json"))
    }
}
