import TenureCore
import TenureSelling
import TenureServerKit

/// Why a payment provider's API didn't provide what a message lacks.
struct ProviderError: Error, CustomStringConvertible {
    /// What happened, without secrets.
    let description: String
    /// Whether the response had more bytes than are read.
    var isTooLong = false
}

/// Reads from a payment provider's API what its messages lack.
struct ProviderAPI: Sendable {
    let outbound: any Outbound
    let key: String
    let source: PaymentSource

    /// The scheme and host of the API.
    private var baseURL: String {
        if let url = source.apiURL { return url }
        return switch (source.provider, source.rules.world) {
        case (.stripe, _): "https://api.stripe.com"
        case (.paddle, .live): "https://api.paddle.com"
        case (.paddle, .test): "https://sandbox-api.paddle.com"
        }
    }

    /// The provider's name, for an operator.
    private var name: String {
        switch source.provider {
        case .stripe: "Stripe"
        case .paddle: "Paddle"
        }
    }

    /// The largest response in bytes: 1 MiB.
    private static let limit: Int64 = 1 << 20

    /// The items of a checkout session.
    func items(ofSession session: ProviderID) async throws -> [SoldItem] {
        try await items("/v1/checkout/sessions/\(session)/line_items", of: session)
    }

    /// The items of all lines of an invoice.
    func items(ofInvoice invoice: ProviderID) async throws -> [SoldItem] {
        try await items("/v1/invoices/\(invoice)/lines", of: invoice)
    }

    /// The address and name of a customer at Paddle.
    func buyer(_ customer: ProviderID) async throws -> Buyer {
        let path = "/customers/\(customer)"
        guard let buyer = PaddleResponse.buyer(parsing: try await get(path), of: customer) else {
            throw ProviderError(description: "Paddle's response to \(path) isn't about that customer")
        }
        return buyer
    }

    /// A page of the list of the events that a source needs, newest first.
    func events(of walk: CatchUp.Walk) async throws -> ListedMessages {
        let (path, after) = (source.provider == .stripe ? "/v1/events" : "/events", walk.after?.text)
        let page: ListedMessages?
        switch source.provider {
        case .stripe:
            let types = StripeMessage.neededTypes.map { "&types%5B%5D=\($0)" }.joined()
            let body = try await get(
                path + "?limit=\(walk.pageSize)&created%5Bgte%5D=\(walk.from.seconds)"
                    + (after.map { "&starting_after=\($0)" } ?? "") + types)
            page = StripeResponse.events(parsing: body)
        case .paddle:
            let types = PaddleMessage.neededTypes.joined(separator: ",")
            let body = try await get(
                path + "?order_by=id%5BDESC%5D&per_page=\(walk.pageSize)" + (after.map { "&after=\($0)" } ?? "")
                    + "&event_type=\(types)")
            page = PaddleResponse.events(parsing: body)
        }
        guard let page, page.bodies.count <= walk.pageSize, page.page.next.map({ $0 != walk.after }) ?? true else {
            throw ProviderError(description: "\(name)'s response to \(path) isn't a page of its list of events")
        }
        return page
    }

    /// Reads all pages of a list of lines, at most ten.
    private func items(_ path: String, of object: ProviderID) async throws -> [SoldItem] {
        var items: [SoldItem] = []
        var after = ""
        for _ in 0..<10 {
            let body = try await get(path + "?limit=100" + after)
            guard let page = StripeResponse.items(parsing: body, of: object) else {
                throw ProviderError(description: "Stripe's response to \(path) isn't the list of its items")
            }
            items += page.items
            guard let next = page.next else { return items }
            after = "&starting_after=\(next)"
        }
        throw ProviderError(description: "Stripe's response to \(path) has more than 1,000 items")
    }

    private func get(_ path: String) async throws -> [UInt8] {
        let request = OutboundRequest(
            baseURL + path, fields: [("Authorization", "Bearer \(key)"), ("Accept", "application/json")],
            reach: .publicAddresses, limit: Self.limit, seconds: 30)
        let response: OutboundAnswer
        do throws(OutboundError) {
            response = try await outbound.send(request)
        } catch {
            throw ProviderError(
                description: "\(name)'s API can't be asked: \(error.message)", isTooLong: error.kind == .tooLong)
        }
        guard response.status == 200 else {
            let resource = path.split(atByte: "?").first.map(String.init) ?? path
            throw ProviderError(description: "\(name)'s API responded with \(response.status) to \(resource)")
        }
        return response.body
    }
}
