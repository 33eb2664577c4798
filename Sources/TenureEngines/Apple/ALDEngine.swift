#if canImport(ALD)
    import ALD
    import TenureCrypto

    /// Apple's App License Delivery, which only accounts that Apple has approved can get (`spec/apple.md` §1, §9).
    ///
    /// Checked against Apple's documented signatures only: nobody has run it here with Apple's module.
    public struct ALDEngine: AppLicenseEngine {
        private let encryptionCertificate: [UInt8]
        private let signingCertificate: [UInt8]
        private let pask: [UInt8]
        private let signingKey: [UInt8]?
        private let signer: (any AppLicenseSigner)?

        /// Takes a marketplace's assets; with a signer, Apple's module never sees the signing key.
        ///
        /// Throws: `.notSigned` when the signing key lies elsewhere and no signer is given, `.badKey`.
        public init(_ assets: SigningAssets, signer: (any AppLicenseSigner)? = nil) throws(EngineError) {
            switch try assets.signing(signer) {
            case .signer(let signer):
                self.signer = signer
                signingKey = nil
            case .key(let key):
                self.signer = nil
                signingKey = try Self.der(key)
            }
            encryptionCertificate = assets.encryptionKey.certificate.der
            signingCertificate = assets.signingKey.certificate.der
            pask = assets.pask
        }

        /// False, always.
        public var isSimulated: Bool { false }

        /// Lets Apple's module read a request.
        ///
        /// Throws: `.requestUnreadable`.
        public func open(clientRequest: [UInt8]) throws(EngineError) -> any AppLicenseSession {
            // A provider of its own for each request: whether threads may share one is not documented.
            let provider = ALDProvider(
                encryptionCert: encryptionCertificate, signingCert: signingCertificate, PASK: pask,
                signingKey: signingKey)
            do {
                return ALDLicenseSession(try provider.createSession(clientRequest: clientRequest), signer: signer)
            } catch {
                throw EngineError(.requestUnreadable, "Apple's module does not read the request", cause: error)
            }
        }

        /// Begins static licenses.
        ///
        /// Throws: `.engineFailed`.
        public func openStatic() throws(EngineError) -> any AppLicenseSession {
            do {
                let session = try ALDSession(signingCert: signingCertificate, signingKey: signingKey, PASK: pask)
                return ALDLicenseSession(session, signer: signer)
            } catch {
                throw EngineError(.engineFailed, "Apple's module did not begin static licenses", cause: error)
            }
        }

        private static func der(_ key: RSA.PrivateKey) throws(EngineError) -> [UInt8] {
            do {
                return try key.der()
            } catch {
                throw EngineError(.badKey, "the signing key could not be written for Apple's module", cause: error)
            }
        }
    }
#endif
