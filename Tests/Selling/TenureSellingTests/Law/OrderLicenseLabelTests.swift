import TenureCore
import TenureSelling
import Testing

@Suite struct OrderLicenseLabelTests {
    @Test func `key derivation labels of different licenses differ even if their parts join to equal text`() {
        func bytes(_ reference: String, line: Int, number: Int) -> [UInt8] {
            let slot = LicenseSlot(line: line, number: number)
            return OrderLicenseLabel(
                source: OrderShop.source, reference: .of(reference), slot: slot, generation: 1
            ).bytes(for: "key")
        }
        #expect(bytes("pi_1", line: 1, number: 11) != bytes("pi_1", line: 11, number: 1))
        #expect(bytes("pi_1", line: 1, number: 1) != bytes("pi_11", line: 1, number: 1))
    }

    @Test func `the longest key derivation label of a license has at most 400 bytes`() {
        let label = OrderLicenseLabel(
            source: SourceID(String(repeating: "s", count: 64))!, reference: .of(String(repeating: "r", count: 128)),
            slot: LicenseSlot(line: .max, number: .max), generation: .max)
        #expect(label.bytes(for: "key").count <= 400)
    }
}
