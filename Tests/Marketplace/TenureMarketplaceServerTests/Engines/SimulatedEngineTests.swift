import TenureCrypto
import TenureFormats
import TenureMarketplace
import Testing

@testable import TenureMarketplaceServer

@Suite struct SimulatedEngineTests {
    let certificate: X509Certificate
    let key: RSA.PrivateKey
    let engine: SimulatedEngine
    let request = SimulatedAppLicenseRequest(
        action: .create, requestID: .max, requestTime: 12, requestVersion: 3, deviceID: [1, 2], appleItemIDs: [7, 8],
        licenseIDs: [])

    init() throws {
        let golden = try Golden()
        certificate = try golden.certificate()
        key = try golden.privateKey()
        engine = try SimulatedEngine(signingCertificate: certificate, signing: .key(key), pask: [1])
    }

    /// An external signer that runs a closure.
    struct Signer: AppLicenseSigner {
        let work: @Sendable ([UInt8]) async throws -> [UInt8]
        func sign(_ response: [UInt8]) async throws -> [UInt8] { try await work(response) }
    }

    struct OutOfPaper: Error {}

    func session(signing: AppLicenseSigning? = nil) throws -> any AppLicenseSession {
        let engine = try SimulatedEngine(
            signingCertificate: certificate, signing: signing ?? .key(key), pask: [1])
        return try engine.open(clientRequest: request.json())
    }

    func attributes(_ id: UInt64, item: UInt64 = 7) throws -> AppLicenseAttributes {
        try AppLicenseAttributes(
            licenseID: id, issuedTime: 100, duration: 50,
            appKeys: [AppLicenseAttributes.AppKey(appleItemID: item, keyBlob: [9])])
    }

    func verified(_ bytes: [UInt8]) throws -> SimulatedAppLicense {
        try UnverifiedSimulatedAppLicense(compact: bytes).verify(trusting: certificate)
    }

    @Test(arguments: [
        (SimulatedAppLicenseRequest.Action.create, AppLicenseAction.create), (.renew, .renew),
    ])
    func `an engine session reports the action and the ids of its request`(
        requested: SimulatedAppLicenseRequest.Action, result: AppLicenseAction
    )
        throws
    {
        var request = request
        request.action = requested
        request.licenseIDs = [1 << 53, .max]
        let session = try engine.open(clientRequest: request.json())
        #expect(session.action == result)
        #expect(session.deviceID == [1, 2])
        #expect(session.requestID == .max && session.requestTime == 12 && session.requestVersion == 3)
        #expect(session.appleItemIDs == [7, 8] && session.licenseIDs == [1 << 53, .max])
        #expect(engine.isSimulated)
    }

    @Test(arguments: ["", "{}", "[]", "\u{0}", "{\"v\":2}"])
    func `an engine refuses a malformed app license request`(text: String) {
        #expect(throws: EngineError(.requestUnreadable, "")) { try engine.open(clientRequest: Array(text.utf8)) }
    }

    @Test(arguments: [0, 1, 2, 50])
    func `every license that is added to an engine session is in its signed response`(count: Int) async throws {
        let session = try session()
        for id in 0..<UInt64(count) { try session.add(attributes((1 << 53) + id, item: id)) }
        let license = try await verified(session.license())
        #expect(license.requestID == .max && license.deviceID == [1, 2])
        #expect(license.licenses.map(\.licenseID) == (0..<UInt64(count)).map { (1 << 53) + $0 })
        for granted in license.licenses {
            #expect(granted.issuedTime == 100 && granted.duration == 50)
            #expect(granted.appKeys.map(\.keyBlobSHA256) == [SHA256.hash([9])])
        }
    }

    @Test func `the largest license id, a license without an end and revoked apps are written unchanged`() async throws
    {
        let session = try session()
        try session.add(
            AppLicenseAttributes(
                licenseID: UInt64(Int64.max) - 1, issuedTime: 0, duration: 0, appKeys: [],
                revokedAppleItemIDs: [.max]))
        let granted = try await verified(session.license()).licenses
        #expect(granted.map(\.licenseID) == [UInt64(Int64.max) - 1])
        #expect(granted.map(\.duration) == [0] && granted.map(\.revokedAppleItemIDs) == [[.max]])
    }

    @Test func `an app license that can't be added to a response doesn't affect the response's other licenses`()
        async throws
    {
        let session = try session()
        try session.add(attributes(1))
        #expect(throws: EngineError(.licenseRepeated, "")) { try session.add(attributes(1, item: 8)) }
        #expect(throws: EngineError(.wrongSession, "")) {
            try session.addStatic(licenseID: 2, appKey: AppLicenseAttributes.AppKey(appleItemID: 7, keyBlob: [1]))
        }
        try session.add(attributes(3))
        #expect(try await verified(session.license()).licenses.map(\.licenseID) == [1, 3])
    }

    @Test func `responses with equal app licenses have equal bytes, and another license changes them`() async throws {
        let sessions = try (0..<2).map { _ in try session() }
        for session in sessions { try session.add(attributes(1)) }
        let bytes = try await sessions[0].license()
        #expect(try await sessions[1].license() == bytes)
        #expect(try await sessions[0].license() == bytes)
        try sessions[0].add(attributes(2))
        #expect(try await sessions[0].license() != bytes)
    }

    @Test func `a static license has no device and no end, and its id must be new and in range`() async throws {
        let session = engine.openStatic()
        #expect(session.action == .generateStatic && session.deviceID.isEmpty && session.requestID == 0)
        #expect(throws: EngineError(.wrongSession, "")) { try session.add(attributes(1)) }
        let appKey = try AppLicenseAttributes.AppKey(appleItemID: 7, keyBlob: [1])
        for id in [0, UInt64(Int64.max), .max] {
            #expect(throws: EngineError(.licenseIDOutOfRange, "")) {
                try session.addStatic(licenseID: id, appKey: appKey)
            }
        }
        try session.addStatic(licenseID: 5, appKey: appKey)
        #expect(throws: EngineError(.licenseRepeated, "")) { try session.addStatic(licenseID: 5, appKey: appKey) }
        let license = try await verified(session.license())
        #expect(license.licenses.map(\.licenseID) == [5] && license.licenses.map(\.duration) == [0])
    }

    @Test func `a license from an external signer has the same bytes as one that the engine signs`() async throws {
        let (mine, theirs) = (try session(), try session(signing: .signer(Signer { [key] in try key.sign($0) })))
        for session in [mine, theirs] { try session.add(attributes(1)) }
        #expect(try await mine.license() == theirs.license())
    }

    @Test func `a license response can be finished with a signature that was made outside the engine session`()
        async throws
    {
        let session = try session(signing: .signer(Signer { _ in throw OutOfPaper() }))
        try session.add(attributes(1))
        let response = try session.response()
        let license = try await verified(session.finish(response, signature: key.sign(response)))
        #expect(license.licenses.count == 1)
        let error = await #expect(throws: EngineError(.notSigned, "")) {
            try await session.finish(response, signature: nil)
        }
        #expect(error?.cause is OutOfPaper)
    }

    @Test func `a wrong signature of an external signer is refused`() async throws {
        let other = try RSA.PrivateKey(Golden().otherKey)
        for wrong in [[], [UInt8](repeating: 0, count: 384), try other.sign(session().response())] {
            let session = try session(signing: .signer(Signer { _ in wrong }))
            let response = try session.response()
            await #expect(throws: EngineError(.badSignature, "")) {
                try await session.finish(response, signature: nil)
            }
            await #expect(throws: EngineError(.badSignature, "")) {
                try await session.finish(response, signature: wrong)
            }
        }
    }

    @Test func `a license response fails as cancelled if its external signer is cancelled`() async throws {
        let session = try session(signing: .signer(Signer { _ in throw CancellationError() }))
        await #expect(throws: EngineError(.cancelled, "")) { try await session.license() }
    }

    @Test func `only the latest response of an engine session can be finished`() async throws {
        let session = try session()
        await #expect(throws: EngineError(.wrongSession, "")) { try await session.finish([], signature: nil) }
        let early = try session.response()
        try session.add(attributes(1))
        await #expect(throws: EngineError(.wrongSession, "")) { try await session.finish(early, signature: nil) }
        let latest = try session.response()
        await #expect(throws: EngineError(.wrongSession, "")) { try await session.finish(early, signature: nil) }
        _ = try await session.finish(latest, signature: nil)
    }

    @Test func `a signing key that doesn't match the engine's certificate is refused`() throws {
        let other = try RSA.PrivateKey(Golden().otherKey)
        #expect(throws: EngineError(.certificateMismatch, "")) {
            try SimulatedEngine(signingCertificate: certificate, signing: .key(other), pask: [1])
        }
    }

    @Test func `simulated key blobs of different apps, variants or engine secrets differ`() throws {
        let blob = engine.keyBlob(appleItemID: 1, assetPublicID: "a")
        #expect(blob.count == 560)
        #expect(engine.keyBlob(appleItemID: 1, assetPublicID: "a") == blob)
        let other = try SimulatedEngine(signingCertificate: certificate, signing: .key(key), pask: [2])
        #expect(
            Set([
                blob, engine.keyBlob(appleItemID: 2, assetPublicID: "a"),
                engine.keyBlob(appleItemID: 1, assetPublicID: "b"),
                other.keyBlob(appleItemID: 1, assetPublicID: "a"),
            ]).count == 4)
    }

    @Test func `a request that the engine refuses fails with the same error as an envelope that can't be opened`()
        throws
    {
        let envelope = try RequestEnvelope.sealing(request.json(), to: key.publicKey)
        let session = try envelope.open(with: [key]) { try engine.open(clientRequest: $0) }
        #expect(session.appleItemIDs == [7, 8])
        let garbage = try RequestEnvelope.sealing([1, 2, 3], to: key.publicKey)
        let (unread, unopened) = (
            #expect(throws: FormatError.self) { try garbage.open(with: [key]) { try engine.open(clientRequest: $0) } },
            #expect(throws: FormatError.self) { try envelope.open(with: []) { try engine.open(clientRequest: $0) } }
        )
        #expect(unread?.code == .unreadable)
        #expect(unread?.description == unopened?.description)
    }
}
