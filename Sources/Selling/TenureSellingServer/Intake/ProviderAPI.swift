import TenureCore
import TenureFormats
import TenureHTTP
import TenureSelling
import TenureServerKit

/// Why a payment provider's API didn't return the data that a message lacks.
struct ProviderError: Error, CustomStringConvertible {
    /// A description of the failure, without secrets.
    let description: String
    /// Whether the response was longer than the limit.
    var isTooLong = false
}

/// Reads the data that messages lack from a payment provider's API.
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

    /// The provider's name, for messages to an operator.
    private var name: String {
        switch source.provider {
        case .stripe: "Stripe"
        case .paddle: "Paddle"
        }
    }

    /// The largest response in bytes: 1 MiB.
    private static let limit: Int64 = 1 << 20
    /// The maximum size of a page with a single event, in bytes: 8 MiB. If one event couldn't be read, no older event
    /// could be read either.
    private static let eventLimit: Int64 = 8 << 20

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

    /// Whether Paddle reports a transaction as paid.
    func isPaid(_ transaction: ProviderID) async throws -> Bool {
        let path = "/transactions/\(transaction)"
        let response = try await response(path)
        if response.status == 404 { return false }
        return PaddleResponse.isPaid(parsing: try Self.body(response, path, name), transaction: transaction)
    }

    /// Requests the current state of a subscription, and returns it as facts.
    ///
    /// - Parameters:
    ///   - message: The message that the facts are attributed to.
    ///   - time: The time of the facts.
    func subscription(
        _ subscription: ProviderID, for message: ProviderID, at time: Timestamp
    ) async throws -> [ReportedFact] {
        let (path, report): (String, OrderReport?)
        switch source.provider {
        case .stripe:
            path = "/v1/subscriptions/\(subscription)"
            report = StripeResponse.subscription(parsing: try await get(path), of: subscription, for: message, at: time)
        case .paddle:
            path = "/subscriptions/\(subscription)"
            report = PaddleResponse.subscription(parsing: try await get(path), of: subscription, for: message, at: time)
        }
        guard let report else {
            throw ProviderError(description: "\(name)'s response to \(path) isn't the state of that subscription")
        }
        return report.facts
    }

    /// A page of the list of the events that a source needs, newest first.
    func events(of walk: CatchUp.Walk) async throws -> ListedMessages {
        let (path, after) = (source.provider == .stripe ? "/v1/events" : "/events", walk.after?.text)
        let limit = walk.pageSize == 1 ? Self.eventLimit : Self.limit
        let page: ListedMessages?
        switch source.provider {
        case .stripe:
            let types = StripeMessage.neededTypes.map { "&types%5B%5D=\($0)" }.joined()
            let body = try await get(
                path + "?limit=\(walk.pageSize)&created%5Bgte%5D=\(walk.from.seconds)"
                    + (after.map { "&starting_after=\($0)" } ?? "") + types, limit: limit)
            page = StripeResponse.events(parsing: body)
        case .paddle:
            let types = PaddleMessage.neededTypes.joined(separator: ",")
            let body = try await get(
                path + "?order_by=id%5BDESC%5D&per_page=\(walk.pageSize)" + (after.map { "&after=\($0)" } ?? "")
                    + "&event_type=\(types)", limit: limit)
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

    private func get(_ path: String, limit: Int64 = limit) async throws -> [UInt8] {
        try Self.body(try await response(path, limit: limit), path, name)
    }

    private static func body(
        _ response: Response, _ path: String, _ name: String
    ) throws(ProviderError) -> [UInt8] {
        guard response.status == 200 else {
            let resource = path.split(atByte: "?").first.map(String.init) ?? path
            throw ProviderError(description: "\(name)'s API responded with \(response.status) to \(resource)")
        }
        return response.body.bytes
    }

    private func response(
        _ path: String, limit: Int64 = limit
    ) async throws(ProviderError) -> Response {
        let request = OutgoingRequest.get(
            baseURL + path, headers: ["Authorization": "Bearer \(key)", "Accept": "application/json"])
        do throws(OutboundError) {
            return try await outbound.send(
                request, within: OutboundLimits(reach: .publicAddresses, size: limit, seconds: 30))
        } catch {
            throw ProviderError(
                description: "\(name)'s API can't be asked: \(error.message)", isTooLong: error.kind == .tooLong)
        }
    }
}

extension SellingContext {
    /// Returns a client for the API of a source's provider; `nil` if the source has no API key.
    ///
    /// Throws ``ProviderError`` if outbound access is disabled.
    func api(of source: PaymentSource) throws(ProviderError) -> ProviderAPI? {
        guard let key = source.apiKey else { return nil }
        guard let outbound else { throw ProviderError(description: "the server may not send requests") }
        return ProviderAPI(outbound: outbound, key: key, source: source)
    }
}
