import TenureCrypto
import Testing

@Suite struct P256Tests {
    struct File: Decodable {
        struct Vector: Decodable {
            let name: String
            let message, signature: HexBytes
        }
        let raw, pkcs8, sec1, publicKey, otherCurve, otherCurvePublic: HexBytes
        let publicPEM: String
        let vectors: [Vector]
    }

    let file: File
    let key: P256.PrivateKey

    init() throws {
        file = try Vectors.read("p256", as: File.self)
        key = try P256.PrivateKey(raw: file.raw.bytes)
    }

    @Test func `the PKCS#8, SEC 1 and PEM encodings of a private key give the same key`() throws {
        #expect(key.publicKey.der == file.publicKey.bytes)
        #expect(try key.publicKey.pem() == file.publicPEM)
        #expect(try key.raw() == file.raw.bytes)
        #expect(try P256.PrivateKey(file.pkcs8.bytes).der() == file.pkcs8.bytes)
        #expect(try P256.PrivateKey(key.der()).publicKey == key.publicKey)
        let forms = [file.pkcs8.bytes, file.sec1.bytes, PEM.text(file.pkcs8.bytes, label: "PRIVATE KEY")]
        for form in forms + [PEM.text(file.sec1.bytes, label: "EC PRIVATE KEY")] {
            #expect(try P256.PrivateKey(form).publicKey == key.publicKey)
        }
    }

    @Test func `P-256 signatures of RFC 6979 and of another library are valid`() throws {
        let publicKey = try P256.PublicKey(der: file.publicKey.bytes)
        #expect(file.vectors.count == 4)
        for vector in file.vectors {
            #expect(publicKey.isValidSignature(vector.signature.bytes, for: vector.message.bytes), "\(vector.name)")
        }
    }

    @Test func `a P-256 signature is 64 bytes, and every flipped bit invalidates it`() throws {
        let message = Array("an install token".utf8)
        // About one signature in 128 contains a number with a leading zero byte.
        for _ in 0..<600 {
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(key.publicKey.isValidSignature(signature, for: message))
        }
        let signature = try key.sign(message)
        for bit in 0..<512 {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.publicKey.isValidSignature(changed, for: message), "bit \(bit)")
        }
        for wrong in [[], [UInt8](repeating: 0, count: 64), signature + [0], Array(signature.dropLast())] {
            #expect(!key.publicKey.isValidSignature(wrong, for: message))
        }
        #expect(try !P256.PrivateKey.generate().publicKey.isValidSignature(signature, for: message))
    }

    @Test func `a private key of zero, or of at least the curve's order, is refused`() throws {
        let order: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + Array(repeating: 0xFF, count: 8)
            + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
        var last = order
        last[31] -= 1
        #expect(try P256.PrivateKey(raw: last).raw() == last)
        let one = [UInt8](repeating: 0, count: 31) + [1]
        #expect(try P256.PrivateKey(raw: one).raw() == one)
        for number in [order, Array(repeating: 0xFF, count: 32), Array(repeating: 0, count: 32)] {
            #expect(throws: CryptoError(.badKey, "")) { try P256.PrivateKey(raw: number) }
        }
        for count in [0, 31, 33] {
            #expect(throws: CryptoError(.wrongLength, "")) {
                try P256.PrivateKey(raw: Array(repeating: 1, count: count))
            }
        }
    }

    @Test func `bytes that aren't a P-256 key are refused`() throws {
        let rsa = try RSA.PrivateKey.generate(modulusBits: 1024)
        for bytes in try [[], file.otherCurve.bytes, rsa.der(), file.publicKey.bytes, file.pkcs8.bytes + [0]] {
            #expect(throws: CryptoError(.badKey, "")) { try P256.PrivateKey(bytes) }
        }
        for bytes in [[], file.otherCurvePublic.bytes, rsa.publicKey.der, file.pkcs8.bytes, file.publicKey.bytes + [0]]
        {
            #expect(throws: CryptoError(.badKey, "")) { try P256.PublicKey(der: bytes) }
        }
        #expect(throws: CryptoError(.badKey, "")) { try RSA.PrivateKey(file.pkcs8.bytes) }
        #expect(throws: CryptoError(.badKey, "")) { try RSA.PublicKey(der: file.publicKey.bytes) }
    }

    @Test func `the error about a key that isn't P-256 names the key's algorithm or curve`() throws {
        let rsa = try RSA.PrivateKey.generate(modulusBits: 1024)
        for (bytes, name) in [(file.otherCurve.bytes, "P-384"), (try rsa.der(), "RSA key with 1024 bits")] {
            let error = #expect(throws: CryptoError.self) { try P256.PrivateKey(bytes) }
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `the description of a P-256 private key contains no secret`() {
        #expect("\(key)" == "P256.PrivateKey")
    }
}
