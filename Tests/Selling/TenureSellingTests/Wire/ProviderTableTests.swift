import GoldenFiles
import TenureFormats
import TenureSelling
import Testing

/// Compares the documented events of each provider with what their messages report.
@Suite struct ProviderTableTests {
    private let supplement = Supplement(items: [SoldItem("price_year")], buyer: Buyer(email: "ada@example.com"))

    @Test func `each Stripe event reports the facts that the documentation lists for it`() throws {
        var reported: [String: Set<String>] = [:]
        for name in try ProviderFixtures.names("stripe") where name != "line-items" {
            let message = try StripeMessage(parsing: ProviderFixtures.body("stripe", name))
            reported[message.type, default: []].formUnion(try message.content(with: supplement).factNames)
        }
        reported["payment_intent.succeeded"] = nil
        #expect(try documented("Stripe") == reported)
        #expect(Set(reported.keys) == Set(StripeMessage.neededTypes))
    }

    @Test func `each Paddle event reports the facts that the documentation lists for it`() throws {
        var reported: [String: Set<String>] = [:]
        for name in try ProviderFixtures.names("paddle") where name != "customer-response" {
            let message = try PaddleMessage(parsing: ProviderFixtures.body("paddle", name))
            reported[message.type, default: []].formUnion(try message.content(with: supplement).factNames)
        }
        reported["transaction.paid"] = nil
        #expect(try documented("Paddle") == reported)
        #expect(Set(reported.keys) == Set(PaddleMessage.neededTypes))
    }

    private func documented(_ provider: String) throws -> [String: Set<String>] {
        let rows = try DocumentedTable.rows(of: "orders.md", below: provider).map { cells in
            (cells[0].plain, Set(cells[1].plain.split(separator: ", ").map(String.init)).subtracting(["none"]))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}

extension MessageContent {
    /// The names of the facts that the message reports.
    fileprivate var factNames: [String] {
        if case .customer(_, _, let fact) = self { return [fact.kind.name] }
        return kinds.map(\.name)
    }
}
