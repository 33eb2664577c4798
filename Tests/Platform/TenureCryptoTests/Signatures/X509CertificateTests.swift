import TenureCrypto
import Testing

@Suite struct X509CertificateTests {
    struct File: Decodable {
        struct Vector: Decodable {
            let name, pem: String
            let der, sha256, publicKey: HexBytes
            let modulusBits: Int
            let notBefore, notAfter: Int64
        }
        let vectors: [Vector]
        let otherKind: HexBytes
    }

    let file: File
    let refused = CryptoError(.badCertificate, "")

    init() throws {
        file = try Vectors.read("x509", as: File.self)
    }

    @Test func `another library's certificates are read, as DER and as PEM`() throws {
        #expect(file.vectors.count == 3)
        for vector in file.vectors {
            for document in [vector.der.bytes, Array(vector.pem.utf8), Array("Subject: x\r\n\(vector.pem)".utf8)] {
                let certificate = try X509Certificate(document)
                #expect(certificate.der == vector.der.bytes, "\(vector.name)")
                #expect(certificate.sha256 == vector.sha256.bytes, "\(vector.name)")
                #expect(certificate.publicKey.der == vector.publicKey.bytes, "\(vector.name)")
                #expect(certificate.modulusBits == vector.modulusBits, "\(vector.name)")
                #expect(certificate.notBefore == vector.notBefore, "\(vector.name)")
                #expect(certificate.notAfter == vector.notAfter, "\(vector.name)")
            }
        }
    }

    @Test func `a certificate matches its own key only`() throws {
        let key = try RSA.PrivateKey(Vectors.read("rsa-3072", as: RSATests.File.self).privateKey.bytes)
        let matches = try file.vectors.map { try X509Certificate($0.der.bytes).matches(key) }
        #expect(matches == [true, true, false])
    }

    @Test func `bytes that aren't a certificate with an RSA key are refused`() {
        let der = file.vectors[0].der.bytes
        let documents: [[UInt8]] = [
            [], [0x30], der + [0], Array(der.dropLast()), file.otherKind.bytes, file.vectors[0].publicKey.bytes,
            PEM.text(der, label: "PRIVATE KEY"), Array("-----BEGIN CERTIFICATE-----".utf8),
            Array(repeating: 0x30, count: 1 << 20),
        ]
        for document in documents {
            #expect(throws: refused) { try X509Certificate(document) }
        }
    }

    @Test(arguments: [(0, 0), (1_795_251_039, 86_400), (2_500_000_000, 1), (1, 253_402_300_798)] as [(Int64, Int64)])
    func `a generated certificate can be parsed and has the requested key and dates`(
        notBefore: Int64, validSeconds: Int64
    ) throws {
        let key = try RSA.PrivateKey.generate(modulusBits: 1024)
        for usage in [X509Certificate.Usage.encryption, .signing] {
            let created = try X509Certificate.selfSigned(
                commonName: "Ünïcode, / = + \" name", usage: usage, key: key, notBefore: notBefore,
                validSeconds: validSeconds)
            #expect(try X509Certificate(created.der) == created)
            #expect(created.matches(key))
            #expect(created.notBefore == notBefore && created.notAfter == notBefore + validSeconds)
            #expect(created.sha256 == SHA256.hash(created.der))
        }
    }

    @Test func `two certificates that are generated for one key differ`() throws {
        let key = try RSA.PrivateKey.generate(modulusBits: 1024)
        let two = try (0..<2).map { _ in
            try X509Certificate.selfSigned(commonName: "a", usage: .signing, key: key, notBefore: 0, validSeconds: 1)
        }
        #expect(two[0] != two[1])
        #expect(two[0].publicKey == two[1].publicKey)
    }

    @Test(
        arguments: [
            ("", 0, 1), (String(repeating: "a", count: 65), 0, 1), ("a", -1, 1), ("a", 0, -1),
            ("a", 1, 253_402_300_799), ("a", 1, .max),
        ] as [(String, Int64, Int64)])
    func `a certificate with an impossible name or impossible dates isn't generated`(
        name: String, notBefore: Int64, seconds: Int64
    )
        throws
    {
        let key = try RSA.PrivateKey.generate(modulusBits: 1024)
        #expect(throws: refused) {
            try X509Certificate.selfSigned(
                commonName: name, usage: .signing, key: key, notBefore: notBefore, validSeconds: seconds)
        }
    }
}
