/// The contents of the files that a marketplace has from Apple, as they were read.
public struct AssetFiles: Sendable {
    /// The encryption certificate: `.cer` (DER) or PEM.
    public var encryptionCertificate: [UInt8]
    /// Its private key: DER or PEM, without a password.
    public var encryptionKey: [UInt8]
    /// The signing certificate: `.cer` (DER) or PEM.
    public var signingCertificate: [UInt8]
    /// Its private key, DER or PEM; nil when it lies elsewhere, such as in a hardware module.
    public var signingKey: [UInt8]?
    /// The PASK: a JSON file with `authorizationKey`.
    public var pask: [UInt8]
    /// The P-256 key whose public half Apple knows, DER or PEM.
    public var distributionKey: [UInt8]

    /// Names the contents.
    public init(
        encryptionCertificate: [UInt8], encryptionKey: [UInt8], signingCertificate: [UInt8], signingKey: [UInt8]?,
        pask: [UInt8], distributionKey: [UInt8]
    ) {
        self.encryptionCertificate = encryptionCertificate
        self.encryptionKey = encryptionKey
        self.signingCertificate = signingCertificate
        self.signingKey = signingKey
        self.pask = pask
        self.distributionKey = distributionKey
    }
}
