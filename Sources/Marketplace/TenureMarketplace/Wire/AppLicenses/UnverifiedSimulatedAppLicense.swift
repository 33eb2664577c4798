#if !canImport(CryptoKit)
    public import TenureCrypto
    public import TenureFormats

    /// A simulated license as received: well-formed, but not verified.
    ///
    /// Only ``verify(trusting:)`` turns it into a ``SimulatedAppLicense``.
    public struct UnverifiedSimulatedAppLicense: Sendable {
        private let document: UnverifiedJWS

        /// Reads the compact JWS that the response's `license` carries in base64.
        ///
        /// Throws: `.malformed`.
        public init(compact bytes: [UInt8]) throws(FormatError) {
            document = try UnverifiedJWS(compact: bytes)
        }

        /// Verifies the license's signature, certificate and type, and returns it.
        ///
        /// The header must name the trusted certificate, and that certificate's key must have signed the document. The
        /// caller checks whether the license is for this device, belongs to this request and hasn't expired.
        ///
        /// Throws: `.badSignature`; `.malformed` and `.badMember` if the signed payload can't be read.
        public func verify(trusting certificate: X509Certificate) throws(FormatError) -> SimulatedAppLicense {
            guard document.header.string("x5t#S256").value == Base64.encodeURL(certificate.sha256) else {
                throw FormatError(
                    .badSignature,
                    "the license was signed with a different certificate than the trusted one; fetch the "
                        + "configuration again"
                )
            }
            let payload = try document.payload(
                ofType: SimulatedAppLicense.type, signedBy: .rs256(certificate.publicKey))
            return try SimulatedAppLicense(json: payload)
        }
    }

    extension SimulatedAppLicense {
        /// Reads a payload whose signature has been verified.
        ///
        /// Ids may be strings or numbers, and unknown fields are ignored.
        init(json: [UInt8]) throws(FormatError) {
            let object = try FlatObject(document: json, named: "simulated license")
            guard try object.require("v", object.integer("v")) == 1 else {
                throw FormatError(
                    .badMember, "the version of a simulated license must be 1; a newer client may support others")
            }
            var licenses: [License] = []
            for license in try object.require("licenses", object.objects("licenses")) {
                licenses.append(try License(license))
            }
            self.init(
                requestID: try object.require("requestID", object.identifier("requestID")),
                deviceID: try object.requireStrictBase64("deviceID"), licenses: licenses)
        }
    }

    extension SimulatedAppLicense.License {
        fileprivate init(_ object: FlatObject) throws(FormatError) {
            var keys: [SimulatedAppLicense.AppKey] = []
            for key in try object.require("appKeys", object.objects("appKeys")) {
                let digest = Hex.decode(try key.require("keyBlobSHA256", key.string("keyBlobSHA256")))
                guard let digest, digest.count == 32 else {
                    throw FormatError(.badMember, "keyBlobSHA256 must be 64 hexadecimal digits")
                }
                let item = try key.require("appleItemID", key.identifier("appleItemID"))
                keys.append(SimulatedAppLicense.AppKey(appleItemID: item, keyBlobSHA256: digest))
            }
            self.init(
                licenseID: try object.require("licenseID", object.identifier("licenseID")),
                issuedTime: try object.require("issuedTime", object.identifier("issuedTime")),
                duration: try object.require("duration", object.identifier("duration")), appKeys: keys,
                revokedAppleItemIDs: try object.require(
                    "revokedAppleItemIDs", object.identifiers("revokedAppleItemIDs")))
        }
    }
#endif
