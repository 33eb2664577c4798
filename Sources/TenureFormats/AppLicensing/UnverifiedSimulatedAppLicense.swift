#if !canImport(CryptoKit)
    public import TenureCrypto

    /// A simulated license as it arrived: well-formed, and nothing more.
    ///
    /// Only ``verify(trusting:)`` makes a ``SimulatedAppLicense`` of it.
    public struct UnverifiedSimulatedAppLicense: Sendable {
        private let document: UnverifiedJWS

        /// Reads the compact JWS that the wire's `license` is base64 of.
        ///
        /// Throws: `.malformed`.
        public init(compact bytes: [UInt8]) throws(FormatError) {
            document = try UnverifiedJWS(compact: bytes)
        }

        /// The license, when the certificate's key signed it and its header names that certificate and the license's
        /// type.
        ///
        /// Whether it is for this device, answers this request and still runs is for the caller to see.
        ///
        /// Throws: `.badSignature`, and `.malformed` and `.badMember` for a signed payload that does not read.
        public func verify(trusting certificate: X509Certificate) throws(FormatError) -> SimulatedAppLicense {
            guard document.header.string("x5t#S256").value == Base64.encodeURL(certificate.sha256) else {
                throw FormatError(
                    .badSignature,
                    "the license names another certificate than the trusted one; read the configuration again")
            }
            let payload = try document.payload(
                ofType: SimulatedAppLicense.type, signedBy: .rs256(certificate.publicKey))
            return try SimulatedAppLicense(json: payload)
        }
    }
#endif
