import TenureCrypto
import Testing

@Suite struct `HMAC with SHA-256` {
    /// RFC 4231, test cases 1, 2, 4 and 6.
    static let vectors: [(key: [UInt8], message: [UInt8], code: String)] = [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Array(1...25), [UInt8](repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ]

    @Test(arguments: vectors.indices) func `authentication codes match the test vectors of RFC 4231`(_ index: Int) {
        let vector = Self.vectors[index]
        let code = HMACSHA256.code(of: vector.message, under: vector.key)
        #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == vector.code)
        #expect(HMACSHA256.verify(code, of: vector.message, under: vector.key))
        #expect(!HMACSHA256.verify(code, of: vector.message + [0], under: vector.key))
        #expect(!HMACSHA256.verify(Array(code.dropLast()), of: vector.message, under: vector.key))
    }
}
