import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
import Testing

@testable import TenureMarketplaceServer

@Suite struct SigningAssetsTests {
    let golden: Golden
    let now = Timestamp(seconds: 1_795_251_039)
    let files: AssetFiles

    init() throws {
        golden = try Golden()
        files = try AssetFiles(
            encryptionCertificate: golden.certificates[0], encryptionKey: golden.key,
            signingCertificate: golden.otherCertificate(), signingKey: golden.otherKey,
            pask: Array("{\"authorizationKey\":\"AQID\",\"new\":1}".utf8),
            distributionKey: P256.PrivateKey.generate().der(),
            distributionKeyID: "52c5cb04-1163-4a30-ad4f-a3433cd6a4f6")
    }

    @Test func `signing assets are imported from key and certificate files`() async throws {
        let assets = try SigningAssets.imported(files, now: now)
        #expect(!assets.isSimulated)
        #expect(assets.pask == [1, 2, 3])
        let digest = Hex.encode(SHA256.hash(golden.certificates[0]))
        #expect(assets.encryptionKey.id == String(digest.prefix(16)))
        #expect(assets.signingKey.id == String(Hex.encode(SHA256.hash(files.signingCertificate)).prefix(16)))
        #expect(assets.distributionKey.id == "52c5cb04-1163-4a30-ad4f-a3433cd6a4f6")
        #expect(assets.decryptionKeys.count == 1)
        _ = try await SimulatedEngine(assets).openStatic().license()
        var pem = files
        pem.encryptionCertificate = golden.pem
        #expect(try SigningAssets.imported(pem, now: now).encryptionKey.id == assets.encryptionKey.id)
    }

    @Test func `signing assets without a signing key need an external signer`() throws {
        struct Signer: AppLicenseSigner {
            func sign(_ response: [UInt8]) async throws -> [UInt8] { [] }
        }
        var files = files
        files.signingKey = nil
        let assets = try SigningAssets.imported(files, now: now)
        #expect(throws: EngineError(.notSigned, "")) { try SimulatedEngine(assets) }
        _ = try SimulatedEngine(assets, signer: Signer())
    }

    static let refusals:
        [(String, EngineError.Code, @Sendable (inout AssetFiles, Golden) throws -> Void, says: String)] =
            [
                ("no certificate", .badCertificate, { files, _ in files.encryptionCertificate = [1] }, "encryption"),
                ("an empty certificate", .badCertificate, { files, _ in files.signingCertificate = [] }, "signing"),
                (
                    "a certificate of another kind of key", .badCertificate,
                    { $0.signingCertificate = $1.otherKind }, "signing"
                ),
                ("a key for a certificate", .badCertificate, { $0.encryptionCertificate = $1.key }, "encryption"),
                ("no key", .badKey, { files, _ in files.encryptionKey = [1] }, "encryption"),
                ("a certificate for a key", .badKey, { $0.signingKey = $1.pem }, "signing"),
                (
                    "a P-256 key for an RSA key", .badKey, { files, _ in files.signingKey = files.distributionKey },
                    "signing"
                ),
                ("no distribution key", .badKey, { files, _ in files.distributionKey = [] }, "distribution"),
                ("an RSA key to distribute with", .badKey, { $0.distributionKey = $1.key }, "RSA key with 3072 bits"),
                ("a P-384 key to distribute with", .badKey, { $0.distributionKey = $1.otherCurve }, "P-384"),
                (
                    "a certificate with RSA-2048", .notRSA3072,
                    { files, _ in
                        let key = try RSA.PrivateKey.generate(modulusBits: 2048)
                        files.encryptionKey = try key.der()
                        files.encryptionCertificate = try X509Certificate.selfSigned(
                            commonName: "small", usage: .encryption, key: key, notBefore: 0, validSeconds: 2_000_000_000
                        ).der
                    }, "2048"
                ),
                (
                    "a key with RSA-2048", .notRSA3072,
                    { files, _ in files.signingKey = try RSA.PrivateKey.generate(modulusBits: 2048).der() }, "2048"
                ),
                ("another encryption key", .certificateMismatch, { $0.encryptionKey = $1.otherKey }, "encryption"),
                (
                    "one certificate for both", .init("key_shared_by_purposes"),
                    {
                        $0.signingCertificate = $1.certificates[0]
                        $0.signingKey = $1.key
                    }, "the same certificate"
                ),
                (
                    "the same certificate in DER and PEM", .init("key_shared_by_purposes"),
                    {
                        $0.signingCertificate = $1.pem
                        $0.signingKey = nil
                    }, "the same certificate"
                ),
                (
                    "two certificates of one key", .init("key_shared_by_purposes"),
                    {
                        $0.signingCertificate = $1.certificates[1]
                        $0.signingKey = $1.key
                    }, "the same key"
                ),
                ("another signing key", .certificateMismatch, { $0.signingKey = $1.key }, "signing"),
                ("a PASK that is no JSON", .badPASK, { files, _ in files.pask = [1, 2, 3] }, "JSON"),
                (
                    "a PASK without authorizationKey", .badPASK,
                    { files, _ in files.pask = Array("{\"key\":\"AQID\"}".utf8) }, "authorizationKey"
                ),
                (
                    "a PASK that is no text", .badPASK,
                    { files, _ in files.pask = Array("{\"authorizationKey\":1}".utf8) }, "authorizationKey"
                ),
                (
                    "a PASK that is no base64", .badPASK,
                    { files, _ in files.pask = Array("{\"authorizationKey\":\"A\"}".utf8) }, "base64"
                ),
                (
                    "an empty PASK", .badPASK,
                    { files, _ in files.pask = Array("{\"authorizationKey\":\"\"}".utf8) }, "base64"
                ),
            ]

    @Test(arguments: refusals.indices)
    func `the error about an unusable key, certificate or PASK names the fault`(index: Int) throws {
        let (name, code, damage, says) = Self.refusals[index]
        var files = files
        try damage(&files, golden)
        let error = #expect(throws: EngineError.self, "\(name)") { try SigningAssets.imported(files, now: now) }
        #expect(error?.code == code, "\(name)")
        #expect(error?.message.contains(says) == true, "\(name): \(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (1_767_323_044, .certificateNotYetValid), (1_767_323_045, nil), (1_835_481_599, nil),
            (1_835_481_600, .certificateExpired),
        ] as [(Int64, EngineError.Code?)])
    func `a certificate is accepted from its first second to its last`(now: Int64, code: EngineError.Code?) {
        do throws(EngineError) {
            _ = try SigningAssets.imported(files, now: Timestamp(seconds: now))
            #expect(code == nil)
        } catch {
            #expect(error.code == code)
            #expect(error.message.contains("encryption"))
        }
    }

    @Test func `generated signing assets are complete and marked as simulated`() async throws {
        let assets = try SigningAssets.makeSimulated(now: now)
        #expect(assets.isSimulated)
        #expect(assets.pask.count == 32)
        #expect(assets.encryptionKey.certificate.modulusBits == 3072)
        #expect(assets.signingKey.certificate.modulusBits == 3072)
        for certificate in [assets.encryptionKey.certificate, assets.signingKey.certificate] {
            #expect(certificate.notBefore == now.seconds - 86_400)
            #expect(certificate.notAfter == now.seconds + 3650 * 86_400)
        }
        #expect(assets.encryptionKey.id != assets.signingKey.id)
        let envelope = try RequestEnvelope.sealing([1], to: assets.encryptionKey.certificate.publicKey)
        #expect(try envelope.open(with: assets.decryptionKeys, reading: { $0 }) == [1])
        let license = try await SimulatedEngine(assets).openStatic().license()
        _ = try UnverifiedSimulatedAppLicense(compact: license).verify(trusting: assets.signingKey.certificate)
        let text = "\(assets)"
        #expect(text.contains(assets.encryptionKey.id) && !text.contains("\(assets.pask)"))
    }

    @Test func `signing assets imported with a new encryption key keep each former key once, after the new one`() throws
    {
        let former = try SigningAssets.imported(files, now: now)
        let other = try RSA.PrivateKey(golden.otherKey)
        let certificate = try X509Certificate.selfSigned(
            commonName: "new", usage: .encryption, key: other, notBefore: 0, validSeconds: 2_000_000_000)
        var files = files
        files.encryptionKey = golden.otherKey
        files.encryptionCertificate = certificate.der
        files.signingKey = golden.key
        files.signingCertificate = golden.certificates[1]
        let new = try SigningAssets.imported(files, now: now).keepingEncryptionKeys(of: former)
        let ids = [new.encryptionKey.id, former.encryptionKey.id]
        #expect(new.encryptionKeys.map(\.id) == ids)
        #expect(try new.keepingEncryptionKeys(of: former).encryptionKeys.map(\.id) == ids)
        #expect(try new.keepingEncryptionKeys(of: new).encryptionKeys.map(\.id) == ids)
        for key in [former.encryptionKey.certificate.publicKey, new.encryptionKey.certificate.publicKey] {
            let envelope = try RequestEnvelope.sealing([7], to: key)
            #expect(try envelope.open(with: new.decryptionKeys, reading: { $0 }) == [7])
        }
    }
}
