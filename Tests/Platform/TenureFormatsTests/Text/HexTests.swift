import TenureFormats
import Testing

@Suite struct HexTests {
    @Test func `every byte is encoded as hexadecimal and decoded to itself`() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hex.encode(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hex.decode(text) == bytes)
        #expect(Hex.decode(text.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "0g", "g0", " 00", "0x00", "é", "00 "])
    func `text that isn't hexadecimal is refused`(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
