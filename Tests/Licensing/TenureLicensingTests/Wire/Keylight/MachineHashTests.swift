import TenureCore
import TenureLicensing
import Testing

@Suite struct MachineHashTests {
    @Test func `a machine hash matches Keylight's published vector`() throws {
        let product = ProductRef(tenant: try #require(TenantID("testco")), product: try #require(ProductID("testapp")))
        #expect(
            MachineHash(hardwareID: "hardware-1", product: product).text
                == "8e8871112f28cabda180ada131d0b4f4f07c72fb47c5d884edbe32812885b22a")
    }

    @Test func `64 lowercase hexadecimal digits are accepted as a machine hash`() {
        let text = String(repeating: "0123456789abcdef", count: 4)
        #expect(MachineHash(text)?.description == text)
    }

    @Test(arguments: [
        "", "0", String(repeating: "a", count: 63), String(repeating: "a", count: 65),
        String(repeating: "A", count: 64),
        String(repeating: "g", count: 64), String(repeating: "a", count: 63) + " ", String(repeating: "é", count: 32),
        String(repeating: "a", count: 63) + "\u{0}",
    ])
    func `text other than 64 lowercase hexadecimal digits is refused as a machine hash`(text: String) {
        #expect(MachineHash(text) == nil)
    }
}
