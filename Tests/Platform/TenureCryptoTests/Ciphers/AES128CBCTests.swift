import TenureCrypto
import Testing

@Suite struct AES128CBCTests {
    struct File: Decodable {
        struct Vector: Decodable {
            let name: String
            let message, ciphertext: HexBytes
        }
        let key, initializationVector: HexBytes
        let vectors: [Vector]
    }

    let file: File
    let cipher: AES128CBC
    let notOpened = CryptoError(.notOpened, "")

    init() throws {
        file = try Vectors.read("aes-128-cbc", as: File.self)
        cipher = try AES128CBC(key: file.key.bytes, initializationVector: file.initializationVector.bytes)
    }

    @Test func `the test vectors of AES-128-CBC encrypt and decrypt to their published values`() throws {
        #expect(file.vectors.count == 8)
        for vector in file.vectors {
            #expect(try cipher.encrypt(vector.message.bytes) == vector.ciphertext.bytes, "\(vector.name)")
            #expect(try cipher.decrypt(vector.ciphertext.bytes) == vector.message.bytes, "\(vector.name)")
        }
    }

    /// Returns two blocks of ciphertext. The second block decrypts to the given bytes, because CBC adds the changes of
    /// the first block to it.
    func ciphertext(endingIn block: [UInt8]) throws -> [UInt8] {
        let existing = try cipher.encrypt(Array(repeating: 0, count: 16))
        // The second block decrypts to sixteen bytes of value 16. CBC adds the changes of the first block to it.
        return zip(existing, block).map { $0 ^ $1 ^ 16 } + existing[16...]
    }

    @Test func `AES-128-CBC decryption removes every valid padding`() throws {
        for count in 1...16 {
            let block = Array(repeating: UInt8(0xAA), count: 16 - count) + Array(repeating: UInt8(count), count: count)
            let (message, isPadded) = try cipher.decryptUnjudged(ciphertext(endingIn: block))
            #expect(isPadded && message.suffix(from: 16) == block.prefix(16 - count)[...], "\(count)")
        }
    }

    @Test func `AES-128-CBC refuses invalid padding, and without a padding check returns the whole last block`() throws
    {
        var wrong: [[UInt8]] = [0, 17, 18, 32, 127, 128, 255].map { Array(repeating: $0, count: 16) }
        for count in 2...16 {
            for index in 16 - count..<15 {
                var block = Array(repeating: UInt8(count), count: 16)
                block[index] ^= 0x80
                wrong.append(block)
            }
        }
        #expect(wrong.count == 127)
        for block in wrong {
            let ciphertext = try ciphertext(endingIn: block)
            let (message, isPadded) = try cipher.decryptUnjudged(ciphertext)
            #expect(!isPadded && message.suffix(16) == block[...], "\(block)")
            #expect(throws: notOpened) { try cipher.decrypt(ciphertext) }
        }
    }

    @Test(arguments: [0, 1, 15, 17, 31])
    func `AES-128-CBC refuses a ciphertext that is empty or whose length isn't a multiple of the block size`(count: Int)
    {
        let ciphertext = [UInt8](repeating: 0, count: count)
        #expect(throws: notOpened) { try cipher.decrypt(ciphertext) }
        #expect(throws: CryptoError(.wrongLength, "")) { try cipher.decryptUnjudged(ciphertext) }
    }

    @Test(arguments: [0, 15, 17, 24, 32])
    func `AES-128-CBC refuses a key or initialization vector that isn't 16 bytes long`(count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        let right = [UInt8](repeating: 1, count: 16)
        #expect(throws: CryptoError(.wrongLength, "")) { try AES128CBC(key: bytes, initializationVector: right) }
        #expect(throws: CryptoError(.wrongLength, "")) { try AES128CBC(key: right, initializationVector: bytes) }
    }

    @Test func `the description of a cipher contains no key`() {
        #expect("\(cipher)" == "AES128CBC")
    }
}
