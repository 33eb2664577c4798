@testable import TenureCrypto

/// A certificate that parses has bytes that parse to the same certificate.
let certificates = FuzzTarget("X509Certificate", longest: 1536, cost: 10) { bytes in
    guard let certificate = try? X509Certificate(bytes) else { return }
    guard let again = try? X509Certificate(certificate.der) else { fail("a certificate's bytes do not parse") }
    expect(again == certificate && again.notAfter == certificate.notAfter, "a certificate reads differently")
    expect(again.publicKey == certificate.publicKey && RSA.modulusBits.contains(again.modulusBits), "another key")
    expect(
        !again.publicKey.isValidSignature(Array(bytes.prefix(128)), for: [1]), "a signature that nobody made is valid")
}

/// Keys in DER or PEM and signatures of P-256 are rejected, or parse to an equal value after writing.
let keyDocuments = FuzzTarget("KeyDocument", longest: 512, cost: 200) { bytes in
    if let key = try? P256.PublicKey(der: bytes) { expect((try? P256.PublicKey(der: key.der)) == key, "P-256, public") }
    if let key = try? RSA.PublicKey(der: bytes) { expect((try? RSA.PublicKey(der: key.der)) == key, "RSA, public") }
    if let key = try? P256.PrivateKey(bytes), let der = try? key.der() {
        expect((try? P256.PrivateKey(der))?.publicKey == key.publicKey, "P-256, private")
    }
    if let key = try? Ed25519.PublicKey(bytes: bytes) { expect(key.bytes == bytes, "Ed25519, public") }
    if let raw = try? ECDSASignature.raw(der: bytes) {
        expect(raw.count == P256.signatureLength, "a signature has another length")
        guard let der = try? ECDSASignature.der(raw: raw), let again = try? ECDSASignature.raw(der: der) else {
            fail("a signature's numbers do not read")
        }
        expect(again == raw, "a signature reads differently")
    }
}

let passwordHashes = FuzzTarget("PasswordHash", longest: 160) { bytes in
    guard let text = text(bytes), PasswordHash.isWellFormed(text) else { return }
    expect(text.hasPrefix("$argon2id$") && !text.utf8.contains(0), text)
}

/// Random bytes never open. Padding is found only where AES-CBC puts it.
let sealedBytes = FuzzTarget("SealedBytes", longest: 128) { bytes in
    guard let sealing = try? AES256GCM(key: [UInt8](repeating: 1, count: AES256GCM.keyLength)) else {
        fail("there is no key")
    }
    expect((try? sealing.open(bytes)) == nil, "what nobody sealed opened")
    if let sealed = try? sealing.seal(bytes, authenticating: [1]) {
        expect((try? sealing.open(sealed, authenticating: [1])) == bytes, "what was sealed does not open")
        expect((try? sealing.open(sealed, authenticating: [2])) == nil, "it opened with other associated bytes")
    }
}
