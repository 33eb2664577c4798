public import TenureCore

/// A request that the system sent to the marketplace for an account, and the response with which it failed.
public struct FailedRequest: Sendable, Hashable {
    /// The account that the request was sent for.
    public var account: AccountID
    /// The app that the request was about, if any.
    public var item: ItemID?
    /// The response's status; `nil` if there was no response.
    public var status: Int?
    /// `code` in the response's body, if it is a problem object of this server.
    public var code: String?
    /// The response's `Content-Type`; `nil` if it had none.
    public var contentType: String?
    /// The response's `Retry-After`; `nil` if the response had none. At most a day is honored.
    public var retryAfter: String?
    /// How many times this request has been sent, including this time; 1 for the first.
    public var attempt: Int
    /// Whether a token has already been refreshed for this request.
    public var hasRefreshed: Bool

    /// Creates a value from its parts.
    public init(
        account: AccountID, item: ItemID? = nil, status: Int?, code: String? = nil, contentType: String? = nil,
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
    /// The meaning of the response, before a next step is chosen.
    enum Meaning: Sendable, Hashable {
        /// The access token is missing or was rejected.
        case unauthorized
        /// The account has to pay before the request can succeed.
        case unpaid
        /// The request may succeed later: the server is busy, or a proxy or captive portal responded.
        case later
        /// The server's final response, with this status; trying again wouldn't change it.
        case final(Int)
    }

    /// The meaning of the response for the account and for a retry.
    ///
    /// A 403 without JSON and without a code comes from a proxy or captive portal. It contains no information about the
    /// account.
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
        let type = HeaderText.parameters(of: contentType ?? "").value
        return type == "application/json" || (type.hasPrefix("application/") && type.hasSuffix("+json"))
    }
}
