package import TenureSelling

/// A payment provider's account whose messages a tenant receives.
package struct PaymentSource: Sendable, Hashable {
    package enum Provider: String, Sendable, CaseIterable {
        case stripe
        /// Paddle Billing.
        case paddle

        /// How many days the provider's list of events goes back.
        var listedDays: Int {
            switch self {
            case .stripe: 30
            case .paddle: 90
            }
        }
    }

    package let id: SourceID
    package var provider: Provider
    /// The rules for the source's items, and for refunds, disputes and cancellations.
    package var rules: OrderRules
    /// The secrets with which the provider signs messages: one, or two while one is replaced by another.
    package var secrets: [String]
    /// The key for the provider's API; `nil` if the source sends no requests to the API.
    package var apiKey: String?
    /// The base URL of the provider's API; `nil` for the provider's own.
    package var apiURL: String?
    /// How often the provider's list of events is read, in minutes, 0 for never; `nil` for the default.
    package var catchUpMinutes: Int?

    package init(
        id: SourceID, provider: Provider = .stripe, rules: OrderRules = OrderRules(items: []), secrets: [String] = [],
        apiKey: String? = nil, apiURL: String? = nil, catchUpMinutes: Int? = nil
    ) {
        self.id = id
        self.provider = provider
        self.rules = rules
        self.secrets = secrets
        self.apiKey = apiKey
        self.apiURL = apiURL
        self.catchUpMinutes = catchUpMinutes
    }

    /// The seconds between two walks through the provider's list of events; `nil` if it's read only on request.
    var catchUpInterval: Int64? {
        let minutes = catchUpMinutes ?? 60
        return apiKey == nil || minutes == 0 ? nil : Int64(minutes) * 60
    }
}
