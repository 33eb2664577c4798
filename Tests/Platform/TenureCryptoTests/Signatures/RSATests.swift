import Foundation
import TenureCrypto
import Testing

@Suite struct RSATests {
    struct File: Decodable {
        struct Vector: Decodable {
            let name: String
            let message, ciphertext, signature: HexBytes
        }
        struct Refused: Decodable {
            let name: String
            let ciphertext: HexBytes
        }
        let privateKey, publicKey, pssSignature: HexBytes
        let vectors: [Vector]
        let refused: [Refused]
    }

    let file: File
    let key: RSA.PrivateKey

    init() throws {
        file = try Vectors.read("rsa-3072", as: File.self)
        key = try RSA.PrivateKey(file.privateKey.bytes)
    }

    @Test func `another library's RSA key, ciphertexts and signatures are accepted`() throws {
        #expect(key.modulusBits == 3072)
        #expect(key.publicKey.modulusBits == 3072)
        #expect(key.publicKey.der == file.publicKey.bytes)
        #expect(try key.der() == file.privateKey.bytes)
        #expect(file.vectors.count == 3)
        for vector in file.vectors {
            #expect(try key.decryptOAEP(vector.ciphertext.bytes) == vector.message.bytes, "\(vector.name)")
            #expect(try key.sign(vector.message.bytes) == vector.signature.bytes, "\(vector.name)")
            let publicKey = try RSA.PublicKey(der: file.publicKey.bytes)
            #expect(publicKey.isValidSignature(vector.signature.bytes, for: vector.message.bytes), "\(vector.name)")
        }
    }

    @Test func `RSA messages with another padding or for another key are refused with the same error`() throws {
        let errors = try file.refused.map { refused in
            try #require(
                #expect(throws: CryptoError(.notOpened, ""), "\(refused.name)") {
                    try key.decryptOAEP(refused.ciphertext.bytes)
                })
        }
        #expect(errors.count == 12)
        #expect(Set(errors.map(\.description)).count == 1)
        let other = try RSA.PrivateKey.generate(modulusBits: 1024)
        #expect(throws: CryptoError(.notOpened, "")) { try key.decryptOAEP(other.publicKey.encryptOAEP([1])) }
    }

    @Test func `an RSA key still decrypts, signs and verifies after a refusal`() throws {
        let ciphertext = try key.publicKey.encryptOAEP([42])
        let signature = try key.sign([7])
        for _ in 0..<3 {
            #expect(throws: CryptoError.self) { try key.decryptOAEP([UInt8](repeating: 1, count: 384)) }
            #expect(try key.decryptOAEP(ciphertext) == [42])
            #expect(!key.publicKey.isValidSignature(signature, for: [8]))
            #expect(key.publicKey.isValidSignature(signature, for: [7]))
            #expect(try key.sign([7]) == signature)
        }
    }

    @Test func `RSA decryption returns the fallback if the message can't be opened or has another length than it`()
        throws
    {
        let fallback = [UInt8](repeating: 7, count: 32)
        for length in [0, 31, 33] {
            let ciphertext = try key.publicKey.encryptOAEP(Array(repeating: 1, count: length))
            let (message, isOpened) = key.decryptOAEP(ciphertext, orElse: fallback)
            #expect(message == fallback && !isOpened, "\(length)")
        }
        for refused in file.refused {
            let (message, isOpened) = key.decryptOAEP(refused.ciphertext.bytes, orElse: fallback)
            #expect(message == fallback && !isOpened, "\(refused.name)")
        }
        let (message, isOpened) = key.decryptOAEP(try key.publicKey.encryptOAEP(Array(0..<32)), orElse: fallback)
        #expect(message == Array(0..<32) && isOpened)
    }

    @Test(arguments: [0, 1, 32, 318])
    func `an encrypted message can be decrypted, and encrypting it again gives another ciphertext`(count: Int) throws {
        let message = SecureRandom.bytes(count)
        let ciphertext = try key.publicKey.encryptOAEP(message)
        #expect(ciphertext.count == 384)
        #expect(try key.decryptOAEP(ciphertext) == message)
        #expect(try key.publicKey.encryptOAEP(message) != ciphertext)
    }

    @Test func `a message that is too long for an RSA key is refused`() {
        #expect(throws: CryptoError(.tooLong, "")) {
            try key.publicKey.encryptOAEP(Array(repeating: 0, count: 319))
        }
    }

    @Test func `an RSA signature that is changed, truncated or made with PSS is refused`() throws {
        let message = Array("a license".utf8)
        let signature = try key.sign(message)
        #expect(key.publicKey.isValidSignature(signature, for: message))
        #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
        for bit in stride(from: 0, to: signature.count * 8, by: 29) {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.publicKey.isValidSignature(changed, for: message), "bit \(bit)")
        }
        #expect(!key.publicKey.isValidSignature([], for: message))
        #expect(!key.publicKey.isValidSignature(Array(signature.dropLast()), for: message))
        #expect(!key.publicKey.isValidSignature([0] + signature, for: message))
        #expect(!key.publicKey.isValidSignature(file.pssSignature.bytes, for: []))
    }

    @Test func `an RSA private key is read from PKCS#8, PKCS#1 and PEM`() throws {
        let generated = try RSA.PrivateKey.generate(modulusBits: 1024)
        let pkcs8 = try generated.der()
        // In PKCS#8, an RSA key is a PKCS#1 structure in an octet string. At this key size, 26 bytes precede it.
        let pkcs1 = Array(pkcs8[26...])
        let forms = [
            pkcs8, pkcs1, PEM.text(pkcs8, label: "PRIVATE KEY"), PEM.text(pkcs1, label: "RSA PRIVATE KEY"),
            Array("a comment\n".utf8) + PEM.text(pkcs8, label: "PRIVATE KEY"),
        ]
        for form in forms {
            #expect(try RSA.PrivateKey(form).publicKey == generated.publicKey)
        }
    }

    @Test func `bytes that aren't an RSA key are refused`() throws {
        let der = file.privateKey.bytes
        let encrypted = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n"
        let refused: [[UInt8]] = [
            [], [0x30], der + [0], Array(der.dropLast()), file.publicKey.bytes, PEM.text(der, label: "CERTIFICATE"),
            Array((encrypted + "-----END RSA PRIVATE KEY-----\n").utf8), Array(repeating: 0x30, count: 1 << 20),
            Array("-----BEGIN PRIVATE KEY-----".utf8),
        ]
        for bytes in refused {
            #expect(throws: CryptoError(.badKey, "")) { try RSA.PrivateKey(bytes) }
        }
        for bytes in refused + [der] where bytes != file.publicKey.bytes {
            #expect(throws: CryptoError(.badKey, "")) { try RSA.PublicKey(der: bytes) }
        }
    }

    @Test(arguments: [512, 0, -1, 16384])
    func `a key with an unsupported modulus size isn't generated`(bits: Int) {
        #expect(throws: CryptoError(.wrongLength, "")) { try RSA.PrivateKey.generate(modulusBits: bits) }
    }

    @Test func `the description of an RSA private key contains no secret`() {
        #expect("\(key)" == "RSA.PrivateKey")
    }

    @Test func `32 concurrent tasks can sign and decrypt with one key`() async throws {
        let key = self.key
        let ciphertext = try key.publicKey.encryptOAEP([42])
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<32 {
                group.addTask {
                    let message = Array("message \(index)".utf8)
                    return (try? key.sign(message)).map { key.publicKey.isValidSignature($0, for: message) } == true
                        && (try? key.decryptOAEP(ciphertext)) == [42]
                }
            }
            for await right in group { #expect(right) }
        }
    }
}
