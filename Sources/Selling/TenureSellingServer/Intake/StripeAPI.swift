import TenureCore
import TenureSelling
import TenureServerKit

/// Why a payment provider's API didn't provide what a message lacks.
struct ProviderError: Error, CustomStringConvertible {
    /// What happened, without secrets.
    let description: String
}

/// Reads from Stripe's API what its messages lack.
struct StripeAPI: Sendable {
    let outbound: any Outbound
    let key: String
    /// The scheme and host.
    let baseURL: String

    /// The API of Stripe.
    static let standardURL = "https://api.stripe.com"

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
            throw ProviderError(description: "Stripe's API can't be asked: \(error.message)")
        }
        guard response.status == 200 else {
            throw ProviderError(description: "Stripe's API responded with \(response.status) to \(path)")
        }
        return response.body
    }
}
