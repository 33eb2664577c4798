import TenureCrypto
import Testing

@Suite struct Ed25519Tests {
    struct Signed: Decodable {
        let name: String
        let seed, publicKey, message, signature: HexBytes
    }

    struct Judged: Decodable {
        let name: String
        let publicKey, message, signature: HexBytes
        let valid: Bool
    }

    @Test func `keys and signatures from published seeds match the test vectors of RFC 8032`() throws {
        let vectors = try VectorFile<Signed>.read("ed25519-rfc8032")
        #expect(vectors.count == 5)
        for vector in vectors {
            let key = try Ed25519.PrivateKey(seed: vector.seed.bytes)
            #expect(key.publicKey.bytes == vector.publicKey.bytes, "\(vector.name)")
            #expect(key.sign(vector.message.bytes) == vector.signature.bytes, "\(vector.name)")
            let published = try Ed25519.PublicKey(bytes: vector.publicKey.bytes)
            #expect(published.isValidSignature(vector.signature.bytes, for: vector.message.bytes), "\(vector.name)")
        }
    }

    @Test func `forged, malleable and malformed Ed25519 signatures are refused`() throws {
        let vectors = try VectorFile<Judged>.read("ed25519-invalid")
        #expect(vectors.count { $0.valid } == 1)
        #expect(vectors.count > 40)
        for vector in vectors {
            let key = try Ed25519.PublicKey(bytes: vector.publicKey.bytes)
            let verdict = key.isValidSignature(vector.signature.bytes, for: vector.message.bytes)
            #expect(verdict == vector.valid, "\(vector.name)")
        }
    }

    @Test func `every flipped bit invalidates an Ed25519 signature`() throws {
        let key = Ed25519.PrivateKey.generate()
        let message = Array("a lease".utf8)
        let signature = key.sign(message)
        #expect(key.publicKey.isValidSignature(signature, for: message))
        for bit in 0..<signature.count * 8 {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.publicKey.isValidSignature(changed, for: message), "bit \(bit)")
        }
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func `an Ed25519 seed or public key that isn't 32 bytes long is refused`(count: Int) {
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(throws: CryptoError(.wrongLength, "")) { try Ed25519.PrivateKey(seed: bytes) }
        #expect(throws: CryptoError(.wrongLength, "")) { try Ed25519.PublicKey(bytes: bytes) }
    }

    @Test func `an Ed25519 private key returns its seed unchanged`() throws {
        let seed = SecureRandom.bytes(Ed25519.seedLength)
        let key = try Ed25519.PrivateKey(seed: seed)
        #expect(key.seed == seed)
        let again = try Ed25519.PrivateKey(seed: key.seed)
        #expect(again.publicKey == key.publicKey)
    }

    @Test func `two generated keys differ`() {
        #expect(Ed25519.PrivateKey.generate().publicKey != Ed25519.PrivateKey.generate().publicKey)
    }

    @Test func `the description of an Ed25519 private key contains no secret`() throws {
        let key = try Ed25519.PrivateKey(seed: Array(1...32))
        #expect("\(key)" == "Ed25519.PrivateKey")
    }

    @Test func `64 concurrent tasks can sign with one key`() async {
        let key = Ed25519.PrivateKey.generate()
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                group.addTask {
                    let message = Array("message \(index)".utf8)
                    return key.publicKey.isValidSignature(key.sign(message), for: message)
                }
            }
            for await valid in group { #expect(valid) }
        }
    }
}
