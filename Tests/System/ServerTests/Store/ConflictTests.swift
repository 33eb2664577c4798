import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

/// Conflicts with another record are refused with a specific code and change nothing.
@Suite struct ConflictTests {
    @Test func `an order is refused and issues no license if a generated license key already exists`() async throws {
        let shop = try await Shop(randomness: .repeatingKeys)
        let first = await shop.post("licenses", #"{"product": "notes", "policy": "pro", "holder": "ada"}"#)
        #expect(first.status == 201)
        let issued = try #require(first.first("licenses"))
        for again in [
            await shop.post("licenses", #"{"product": "notes", "policy": "pro", "count": 2}"#),
            await shop.post("licenses", #"{"product": "notes", "policy": "pro"}"#, key: "order-7"),
            await shop.post("licenses", #"{"product": "notes", "policy": "pro"}"#, key: "order-7"),
        ] {
            #expect(again.status == 409)
            #expect(again.code == "key_taken")
        }
        let listed = await shop.get("licenses?product=notes").all("licenses")
        #expect(listed.count == 4)
        #expect(listed.first { $0.text("holder") == "ada" }?.text("id") == issued.text("id"))
        #expect(shop.vendor.log.lines.allSatisfy { $0.event != "request_failed" })
    }

    @Test func `a rekey that generates another license's key is refused and keeps the old key`() async throws {
        let shop = try await Shop(randomness: .repeatingKeys)
        let issued = await shop.post("licenses", #"{"product": "notes", "policy": "pro"}"#).first("licenses")
        let id = try #require(
            await shop.post("licenses/find", #"{"licenseKey": "NOTE-RENT-0000-0002"}"#).first("licenses")?.text("id"))
        let refused = await shop.post("licenses/\(id)/rekey", "{}")
        #expect(refused.status == 409)
        #expect(refused.code == "key_taken")
        #expect(await shop.vendor.activate("NOTE-RENT-0000-0002").status == 200)
        #expect(await shop.vendor.activate(try #require(issued?.text("licenseKey"))).status == 200)
    }

    @Test func `a used marketplace domain is refused with domain_taken, and the removal of a used product with in_use`()
        async throws
    {
        let vendor = try await Vendor()
        let bolt = try #require(TenantID("bolt"))
        try await vendor.apply(GivenMart.catalog())
        func code(_ saves: [RowWrite]) async -> String? {
            do throws(ServerError) {
                try await asking { try await vendor.store.perform(Transaction { TransactionResult((), saves) }) }
                return nil
            } catch {
                return Answer(Failure(error).problem(by: .operators)).status == 409 ? error.code.text : "\(error)"
            }
        }
        let catalog = try await vendor.store.catalog()
        let mart = try #require(catalog.tenants[GivenMart.tenant]?.marketplace)
        let second = MarketplaceRow(tenant: bolt, marketplace: mart)
        #expect(await code([.insert(TenantRow(id: bolt, name: "Bolt")), .insert(second)]) == "domain_taken")
        let notes = ProductRef(tenant: GivenMart.tenant, product: try #require(ProductID("notes")))
        #expect(await code([.remove(try #require(catalog[notes]))]) == "in_use")
    }

    @Test
    func `the operator API reports a conflict as 409, a busy or unavailable store as 503 and a damaged one as 500`() {
        let codes: [(StoreError.Code, String, Int)] = [
            (.inUse, "in_use", 409),
            (.busy, "try_again", 503), (.unavailable, "try_again", 503), (.full, "try_again", 503),
            (.corrupt, "server_fault", 500), (.failed, "server_fault", 500),
        ]
        for (stored, result, status) in codes {
            let error = ServerError(StoreError(stored, "A sentence."))
            let problem = Answer(Failure(error).problem(by: .operators))
            #expect(problem.code == result)
            #expect(problem.status == status)
        }
        let keys = [
            (License.byKey.shape.fullName, License.table.shape, "key_taken"),
            (MarketplaceRow.byDomain.shape.fullName, MarketplaceRow.table.shape, "domain_taken"),
        ]
        for (key, table, result) in keys {
            let error = ServerError(StoreError.taken(key, of: table))
            let problem = Answer(Failure(error).problem(by: .operators))
            #expect(problem.code == result)
            #expect(problem.status == 409)
        }
    }
}

extension Randomness {
    /// Each generator starts with the same two words, from which a license key is made.
    fileprivate static let repeatingKeys = Randomness { RepeatingKeys() }
}

private struct RepeatingKeys: RandomNumberGenerator {
    private var words: [UInt64] = [7, 11]
    private var system = SystemRandomNumberGenerator()

    mutating func next() -> UInt64 { words.isEmpty ? system.next() : words.removeFirst() }
}
