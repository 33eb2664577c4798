import TenureCrypto
import TenureMarketplace

/// A license engine with Tenure's own public formats, for use without Apple's module.
///
/// No iPhone accepts its licenses.
struct SimulatedEngine: AppLicenseEngine {
    private let certificate: X509Certificate
    private let signing: AppLicenseSigning
    private let pask: [UInt8]

    /// Creates an engine.
    ///
    /// `pask` is the secret from which ``keyBlob(appleItemID:assetPublicID:)`` derives missing key blobs.
    ///
    /// - Throws: `.certificateMismatch` if the signing key doesn't belong to the certificate.
    init(
        signingCertificate: X509Certificate, signing: AppLicenseSigning, pask: [UInt8]
    ) throws(EngineError) {
        if case .key(let key) = signing, !signingCertificate.matches(key) {
            throw EngineError(
                .certificateMismatch, "the signing certificate doesn't match the signing key; provide a matching pair")
        }
        certificate = signingCertificate
        self.signing = signing
        self.pask = pask
    }

    /// Creates an engine from a marketplace's assets.
    ///
    /// - Throws: `.notSigned` if the assets lack the signing key and no signer is given.
    init(_ assets: SigningAssets, signer: (any AppLicenseSigner)? = nil) throws(EngineError) {
        try self.init(
            signingCertificate: assets.signingKey.certificate, signing: assets.signingKey.signing(signer),
            pask: assets.pask)
    }

    var isSimulated: Bool { true }

    /// Parses a simulated request (`Documentation/formats.md`).
    ///
    /// - Throws: `.requestUnreadable`.
    func open(clientRequest: [UInt8]) throws(EngineError) -> any AppLicenseSession {
        let request: SimulatedAppLicenseRequest
        do {
            request = try SimulatedAppLicenseRequest(json: clientRequest)
        } catch {
            throw EngineError(.requestUnreadable, "the request doesn't come from a simulated device", cause: error)
        }
        return SimulatedSession(answering: request, certificate: certificate, signing: signing)
    }

    /// Begins a session for static licenses.
    func openStatic() -> any AppLicenseSession {
        SimulatedSession(answering: nil, certificate: certificate, signing: signing)
    }

    /// Derives a key blob for a variant without a real one: 560 bytes, always the same for the same secret and variant.
    func keyBlob(appleItemID: UInt64, assetPublicID: String) -> [UInt8] {
        let variant = Array("tenure-simulated-key-blob|\(appleItemID)|\(assetPublicID)|".utf8)
        var blob: [UInt8] = []
        for block in 0..<UInt8((Self.keyBlobLength + SHA256.length - 1) / SHA256.length) {
            blob += SHA256.hash(pask + variant + [block])
        }
        return Array(blob.prefix(Self.keyBlobLength))
    }

    private static let keyBlobLength = 560
}
