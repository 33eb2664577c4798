import TenureCrypto
import Testing

@Suite struct AES256GCMTests {
    struct Vector: Decodable {
        let name: String
        let key, message, nonce, associated, ciphertext, tag: HexBytes
        var sealed: [UInt8] { nonce.bytes + ciphertext.bytes + tag.bytes }
    }

    let notOpened = CryptoError(.notOpened, "")

    @Test func `the test vectors of AES-256-GCM seal and open to their published values`() throws {
        let vectors = try VectorFile<Vector>.read("aes-256-gcm")
        #expect(vectors.count == 4)
        for vector in vectors {
            let box = try AES256GCM(key: vector.key.bytes)
            let sealed = try box.seal(
                vector.message.bytes, authenticating: vector.associated.bytes, nonce: vector.nonce.bytes)
            #expect(sealed == vector.sealed, "\(vector.name)")
            let opened = try box.open(vector.sealed, authenticating: vector.associated.bytes)
            #expect(opened == vector.message.bytes, "\(vector.name)")
        }
    }

    @Test func `every flipped bit and every truncation of a sealed message is refused with the same error`() throws {
        for vector in try VectorFile<Vector>.read("aes-256-gcm") {
            let box = try AES256GCM(key: vector.key.bytes)
            let associated = vector.associated.bytes
            for bit in 0..<vector.sealed.count * 8 {
                var changed = vector.sealed
                changed[bit / 8] ^= 1 << (bit % 8)
                #expect(throws: notOpened) { try box.open(changed, authenticating: associated) }
            }
            for count in 0..<vector.sealed.count {
                #expect(throws: notOpened) {
                    try box.open(Array(vector.sealed.prefix(count)), authenticating: associated)
                }
            }
            #expect(throws: notOpened) { try box.open(vector.sealed + [0], authenticating: associated) }
            #expect(throws: notOpened) { try box.open(vector.sealed, authenticating: associated + [0]) }
        }
    }

    @Test func `a sealed message can't be opened with a different key`() throws {
        let sealed = try AES256GCM(key: Array(0..<32)).seal(Array("seed".utf8))
        #expect(throws: notOpened) { try AES256GCM(key: Array(1..<33)).open(sealed) }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 32, 1000, 100_000])
    func `a sealed message of 0 to 100,000 bytes can be opened`(count: Int) throws {
        let box = try AES256GCM(key: SecureRandom.bytes(32))
        let message = SecureRandom.bytes(count)
        let sealed = try box.seal(message, authenticating: [1, 2, 3])
        #expect(sealed.count == count + AES256GCM.overhead)
        #expect(try box.open(sealed, authenticating: [1, 2, 3]) == message)
    }

    @Test func `sealing a message twice gives different bytes`() throws {
        let box = try AES256GCM(key: SecureRandom.bytes(32))
        #expect(try box.seal([1]) != box.seal([1]))
    }

    @Test(arguments: [0, 16, 24, 31, 33])
    func `AES-256-GCM refuses a key that isn't 32 bytes long`(count: Int) {
        #expect(throws: CryptoError(.wrongLength, "")) { try AES256GCM(key: .init(repeating: 1, count: count)) }
    }
}
