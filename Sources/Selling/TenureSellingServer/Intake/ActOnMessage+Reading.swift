import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

extension ActOnMessage {
    /// What a message says, with what the provider's API adds to it.
    enum Content {
        /// Its type has no meaning for licenses.
        case unused
        /// It's a test message at a source for real payments, or the other way around.
        case otherWorld
        /// It reports nothing about an order.
        case noted
        /// It lacks facts, and the source has no key for the provider's API.
        case lacking(String)
        /// Facts of one order; `waitsForSession` if a checkout session that names it would be the sale.
        case order(OrderReport, waitsForSession: Bool)
    }

    /// Parses a message and reads what it lacks from the provider's API.
    ///
    /// Throws `FormatError` and ``ProviderError``.
    func read(_ body: [UInt8], from source: PaymentSource) async throws -> Content {
        let message = try StripeMessage(parsing: body)
        guard message.isLive == (source.rules.world == .live) else { return .otherWorld }
        let knows = { (item: String) in source.rules.items.contains { $0.item == item } }
        var supplement = Supplement()
        for _ in 0..<2 {
            switch try message.content(with: supplement, knows: knows) {
            case .unused: return .unused
            // The addresses of customers aren't followed.
            case .noted, .customer: return .noted
            case .order(let report): return .order(report, waitsForSession: false)
            case .invoice(let report): return .order(report, waitsForSession: true)
            case .lacking(let part, _):
                guard let items = try await items(part, of: source) else {
                    return .lacking(
                        "the items of the sale, which Stripe's API has. Set the source's `apiKeyFile`, or the metadata "
                            + "`tenure_item` of the checkout session")
                }
                supplement.items = items
            }
        }
        return .lacking("the items of the sale, which Stripe's API doesn't have either")
    }

    /// The items that a message lacks; `nil` if the source has no key for the API.
    private func items(_ part: MissingPart, of source: PaymentSource) async throws -> [SoldItem]? {
        guard let key = source.apiKey else { return nil }
        guard let outbound = selling.outbound else {
            throw ProviderError(description: "the server may not send requests")
        }
        let api = StripeAPI(outbound: outbound, key: key, baseURL: source.apiURL ?? StripeAPI.standardURL)
        switch part {
        case .sessionItems(let session): return try await api.items(ofSession: session)
        case .invoiceItems(let invoice): return try await api.items(ofInvoice: invoice)
        case .customer: return nil
        }
    }
}
