import Foundation
import GoldenFiles
import TenureCore
import TenureFormats
import Testing

@testable import TenureClient

/// The documented format of a sealed record, as an independent library writes it (`Tests/Vectors/sealed-record.json`).
@Suite struct RecordSealTests {
    struct Golden: Decodable {
        let origin, identifier, tenant, product, record, sealed: String

        static func read() throws -> Golden {
            let file = URL.packageRoot.appending(path: "Tests/Vectors/sealed-record.json")
            return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file))
        }
    }

    @Test func `a record that an independent library sealed can be opened`() throws {
        let golden = try Golden.read()
        let product = ProductRef(
            tenant: try #require(TenantID(golden.tenant)), product: try #require(ProductID(golden.product)))
        let seal = RecordSeal(device: try ThisDevice(explicit: golden.identifier).binding, product: product)
        let sealed = try #require(Hex.decode(golden.sealed))
        #expect(try seal.open(sealed) == Array(golden.record.utf8))
        let other = RecordSeal(device: try ThisDevice(explicit: golden.identifier).binding, product: .other)
        #expect(throws: SealFault.otherProduct) { try other.open(sealed) }
    }

    @Test func `each sealed record has its own salt and nonce`() throws {
        let headers = try (0..<20).map { _ in Array(try RecordSeal.sample.seal([]).prefix(SealHeader.length + 12)) }
        #expect(Set(headers.map { Array($0[8..<40]) }).count == 20)
        #expect(Set(headers.map { Array($0.suffix(12)) }).count == 20)
    }
}
