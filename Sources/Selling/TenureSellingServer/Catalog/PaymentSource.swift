package import TenureSelling

/// A payment provider's account whose messages a tenant receives.
package struct PaymentSource: Sendable, Hashable {
    /// The payment provider.
    package enum Provider: String, Sendable, CaseIterable {
        /// Stripe.
        case stripe
        /// Paddle Billing.
        case paddle
    }

    package let id: SourceID
    package var provider: Provider
    /// What its items mean, and how refunds, disputes and cancellations are treated.
    package var rules: OrderRules
    /// The secrets that sign its messages: one, or two while they're changed.
    package var secrets: [String]
    /// The key for the provider's API; `nil` to use messages alone.
    package var apiKey: String?
    /// The base URL of the provider's API; `nil` for the provider's own.
    package var apiURL: String?

    package init(
        id: SourceID, provider: Provider = .stripe, rules: OrderRules = OrderRules(items: []), secrets: [String] = [],
        apiKey: String? = nil, apiURL: String? = nil
    ) {
        self.id = id
        self.provider = provider
        self.rules = rules
        self.secrets = secrets
        self.apiKey = apiKey
        self.apiURL = apiURL
    }
}
