import TenureStore
import Testing

@Suite struct `Stored values` {
    /// The lengths include multiples of eight, because a comparison reads eight bytes at once.
    @Test(arguments: 0...20) func `stored values are equal only if all of their bytes are equal`(length: Int) {
        let bytes = (0..<length).map { UInt8(ascii: "a") + UInt8($0) }
        let copy = Array(bytes)
        #expect(StoredValue.blob(bytes) == .blob(copy))
        #expect(StoredValue.text(text(bytes)) == .text(text(copy)))
        #expect(StoredValue.blob(bytes) != .blob(bytes + [0x61]))
        #expect(StoredValue.text(text(bytes)) != .text(text(bytes) + "a"))
        for index in bytes.indices {
            var other = bytes
            other[index] = UInt8(ascii: "Z")
            #expect(StoredValue.blob(bytes) != .blob(other), "byte \(index)")
            #expect(StoredValue.text(text(bytes)) != .text(text(other)), "byte \(index)")
        }
    }

    @Test func `two Unicode spellings of a character are different stored values`() {
        #expect(StoredValue.text("\u{E9}") != .text("e\u{301}"))
    }

    @Test func `stored values of different types aren't equal`() {
        #expect(StoredValue.text("a") != .blob([0x61]))
        #expect(StoredValue.integer(0) != .flag(false))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
