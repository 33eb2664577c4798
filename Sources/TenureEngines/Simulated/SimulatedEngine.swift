public import TenureCrypto
import TenureFormats

/// A license engine whose formats are Tenure's own and public (design §7), for trying out without Apple's module.
///
/// No iPhone accepts what it makes.
public struct SimulatedEngine: AppLicenseEngine {
    private let certificate: X509Certificate
    private let signing: AppLicenseSigning
    private let pask: [UInt8]

    /// Takes the signing certificate, who signs for it, and the secret from which missing key blobs are made.
    ///
    /// Throws: `.certificateMismatch` when the signing key is not the certificate's.
    public init(
        signingCertificate: X509Certificate, signing: AppLicenseSigning, pask: [UInt8]
    ) throws(EngineError) {
        if case .key(let key) = signing, !signingCertificate.matches(key) {
            throw EngineError(.certificateMismatch, "the signing certificate is not the signing key's; give the pair")
        }
        certificate = signingCertificate
        self.signing = signing
        self.pask = pask
    }

    /// Takes what it needs of a marketplace's assets.
    ///
    /// Throws: `.notSigned` when their signing key lies elsewhere and no signer is given.
    public init(_ assets: SigningAssets, signer: (any AppLicenseSigner)? = nil) throws(EngineError) {
        try self.init(
            signingCertificate: assets.signingKey.certificate, signing: assets.signing(signer), pask: assets.pask)
    }

    /// True, always.
    public var isSimulated: Bool { true }

    /// Reads a simulated request (`Documentation/formats.md`).
    ///
    /// Throws: `.requestUnreadable`.
    public func open(clientRequest: [UInt8]) throws(EngineError) -> any AppLicenseSession {
        let request: SimulatedAppLicenseRequest
        do {
            request = try SimulatedAppLicenseRequest(json: clientRequest)
        } catch {
            throw EngineError(.requestUnreadable, "the request is not a simulated device's", cause: error)
        }
        return SimulatedSession(answering: request, certificate: certificate, signing: signing)
    }

    /// Begins static licenses.
    public func openStatic() -> any AppLicenseSession {
        SimulatedSession(answering: nil, certificate: certificate, signing: signing)
    }

    /// Makes the key blob of a variant for which there is none: 560 bytes, always the same for the same secret and variant.
    public func keyBlob(appleItemID: UInt64, assetPublicID: String) -> [UInt8] {
        let variant = Array("tenure-simulated-key-blob|\(appleItemID)|\(assetPublicID)|".utf8)
        var blob: [UInt8] = []
        for block in 0..<UInt8((Self.keyBlobLength + SHA256.length - 1) / SHA256.length) {
            blob += SHA256.hash(pask + variant + [block])
        }
        return Array(blob.prefix(Self.keyBlobLength))
    }

    private static let keyBlobLength = 560
}
