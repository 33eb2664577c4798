import TenureCrypto
import Testing

@Suite struct `HKDF with SHA-256` {
    struct Vector {
        let secret, salt, purpose: [UInt8]
        let key: String
    }

    /// RFC 5869, appendix A.1 to A.3.
    static let vectors = [
        Vector(
            secret: .init(repeating: 0x0B, count: 22), salt: Array(0x00...0x0C), purpose: Array(0xF0...0xF9),
            key: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
        Vector(
            secret: Array(0x00...0x4F), salt: Array(0x60...0xAF), purpose: Array(0xB0...0xFF),
            key: "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                + "cc30c58179ec3e87c14c01d5c1f3434f1d87"),
        Vector(
            secret: .init(repeating: 0x0B, count: 22), salt: [], purpose: [],
            key: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    ]

    @Test(arguments: vectors.indices) func `derived keys match the test vectors of RFC 5869`(_ index: Int) throws {
        let vector = Self.vectors[index]
        let key = try HKDFSHA256.key(
            from: vector.secret, salt: vector.salt, purpose: vector.purpose, length: vector.key.utf8.count / 2)
        #expect(key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == vector.key)
    }

    @Test func `HKDF derives a different key from a different secret, salt or purpose`() throws {
        let key = try HKDFSHA256.key(from: [1], salt: [2], purpose: [3], length: 32)
        #expect(try HKDFSHA256.key(from: [9], salt: [2], purpose: [3], length: 32) != key)
        #expect(try HKDFSHA256.key(from: [1], salt: [9], purpose: [3], length: 32) != key)
        #expect(try HKDFSHA256.key(from: [1], salt: [2], purpose: [9], length: 32) != key)
    }

    @Test(arguments: [-1, 0, HKDFSHA256.longestKey + 1])
    func `HKDF refuses a key length below one byte or above the maximum`(length: Int) {
        #expect(throws: CryptoError(.wrongLength, "")) {
            try HKDFSHA256.key(from: [1], salt: [], purpose: [], length: length)
        }
    }

    @Test func `HKDF accepts the longest key and purpose, and refuses a longer purpose and an empty secret`() throws {
        let purpose = [UInt8](repeating: 1, count: HKDFSHA256.longestPurpose)
        let key = try HKDFSHA256.key(from: [1], salt: [], purpose: purpose, length: HKDFSHA256.longestKey)
        #expect(key.count == 8160)
        #expect(throws: CryptoError(.tooLong, "")) {
            try HKDFSHA256.key(from: [1], salt: [], purpose: purpose + [1], length: 32)
        }
        #expect(throws: CryptoError(.wrongLength, "")) {
            try HKDFSHA256.key(from: [], salt: [], purpose: [], length: 32)
        }
    }
}
