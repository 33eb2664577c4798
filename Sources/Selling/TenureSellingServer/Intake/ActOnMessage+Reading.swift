import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

extension ActOnMessage {
    /// The content of a message, completed from earlier messages and the provider's API.
    enum Content {
        /// The message's type has no meaning for licenses.
        case unused
        /// The message is about a test payment and the source takes real ones, or the other way around.
        case otherWorld
        /// The message reports nothing about an order.
        case noted
        /// The message lacks facts that the API doesn't have either, or that can't be requested without a key. The text
        /// names the missing facts.
        case lacking(String)
        /// A sale that isn't paid according to the provider; the id is that of its transaction.
        case unpaid(ProviderID)
        /// Facts of one order. `waitsForSession` is set if a checkout session for the same invoice would be the sale.
        case order(OrderReport, waitsForSession: Bool)
        /// A customer's address, which concerns all orders of the customer.
        case customer(ProviderID, Buyer, ReportedFact)
    }

    /// Parses a message, and reads the facts that it lacks from earlier messages and the provider's API.
    ///
    /// - Parameter issues: Whether a further period of an unknown order counts as a sale, because an operator requested
    ///   it.
    /// - Throws: `FormatError`, ``ProviderError`` and `ServerError`.
    func read(
        _ body: [UInt8], from source: PaymentSource, of tenant: TenantID, issues: Bool
    ) async throws -> Content {
        let content: (Supplement) throws(FormatError) -> MessageContent
        switch source.provider {
        case .stripe:
            let message = try StripeMessage(parsing: body)
            guard message.isLive == (source.rules.world == .live) else { return .otherWorld }
            content = { supplement throws(FormatError) in
                try message.content(with: supplement) { item in source.rules.items.contains { $0.item == item } }
            }
        case .paddle:
            let message = try PaddleMessage(parsing: body)
            content = { supplement throws(FormatError) in try message.content(with: supplement, issues: issues) }
        }
        var supplement = Supplement()
        for _ in 0..<2 {
            switch try content(supplement) {
            case .unused: return .unused
            case .noted: return .noted
            case .order(let report):
                if let sale = report.newSale, try await !isPaid(sale, at: source) { return .unpaid(sale) }
                return .order(report, waitsForSession: false)
            case .invoice(let report): return .order(report, waitsForSession: true)
            case .customer(let customer, let buyer, let fact): return .customer(customer, buyer, fact)
            case .lacking(let part, _):
                guard try await add(part, to: &supplement, of: source, tenant) else {
                    return .lacking(
                        "the items of the sale, which Stripe's API has. Set the source's `apiKeyFile`, or the metadata "
                            + "`tenure_item` of the checkout session")
                }
            }
        }
        return .lacking("items or an address that the provider's API doesn't have either")
    }

    /// Whether Paddle reports the transaction of a sale as paid. Without this check, a stolen secret would be enough to
    /// get licenses. Always `true` for test payments and for other providers.
    private func isPaid(_ transaction: ProviderID, at source: PaymentSource) async throws -> Bool {
        guard source.provider == .paddle, source.rules.world == .live, let api = try selling.api(of: source) else {
            return true
        }
        return try await api.isPaid(transaction)
    }

    /// Adds the part that a message lacks; returns false if the source has no key for the API.
    private func add(
        _ part: MissingPart, to supplement: inout Supplement, of source: PaymentSource, _ tenant: TenantID
    ) async throws -> Bool {
        if case .customer(let customer) = part {
            let plan = CustomerPlans.one
            let bound = plan.bind(.init(tenant: tenant, source: source.id, customer: customer))
            if let row = try await selling.store.fetch(bound)[plan.queries], let email = row.email {
                supplement.buyer = Buyer(email: email, name: row.name, customer: customer)
                return true
            }
        }
        guard let api = try selling.api(of: source) else { return false }
        switch part {
        case .sessionItems(let session): supplement.items = try await api.items(ofSession: session)
        case .invoiceItems(let invoice): supplement.items = try await api.items(ofInvoice: invoice)
        case .customer(let customer): supplement.buyer = try await api.buyer(customer)
        }
        return true
    }
}

extension OrderReport {
    /// The bill of the report's sale or trial; `nil` if it reports none.
    fileprivate var newSale: ProviderID? { facts.lazy.compactMap { $0.kind.sale?.bill.reference }.first }
}

/// Queries for a provider's customers.
enum CustomerPlans {
    struct Parameters: Sendable {
        let tenant: TenantID
        let source: SourceID
        let customer: ProviderID
    }

    static let one = QueryPlan(for: Parameters.self) { query in
        query.row(PaymentCustomerRow.table.key) { [.of($0.tenant), .of($0.source), .of($0.customer)] }
    }

    /// The orders of a customer.
    static let orders = QueryPlan(for: Parameters.self) { query in
        query.rows(OrderRow.ofCustomer, upTo: 1_000) { [.of($0.tenant), .of($0.source), .of($0.customer)] }
    }

    /// Reads a message and its customer, in order to save both.
    static let saving = Job.CatalogWorkPlan(for: (PaymentMessageID, Parameters).self) { query in
        (
            message: query.row(PaymentMessage.table.key) { [.of($0.0)] },
            customer: query.row(PaymentCustomerRow.table.key) {
                [.of($0.1.tenant), .of($0.1.source), .of($0.1.customer)]
            }
        )
    }
}
