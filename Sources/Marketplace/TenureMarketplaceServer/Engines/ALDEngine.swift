#if canImport(ALD)
    import ALD
    import TenureCrypto
    import TenureServerKit

    /// Apple's App License Delivery, which is only available to accounts that Apple has approved.
    ///
    /// The code was checked only against Apple's documented signatures; it has never been run with Apple's module.
    struct ALDEngine: AppLicenseEngine {
        private let encryptionCertificate: [UInt8]
        private let signingCertificate: [UInt8]
        private let pask: [UInt8]
        private let signingKey: [UInt8]?
        private let signer: (any AppLicenseSigner)?
        private let pool: CryptoPool

        /// Creates an engine from a marketplace's assets.
        ///
        /// Without a signer, Apple's module signs with the assets' key, which is the documented way (Apple's
        /// documentation). With a signer, the module never receives the key.
        ///
        /// - Parameter pool: Runs the module's signing, which is an RSA operation.
        /// - Throws: `.notSigned` if the assets lack the signing key and no signer is given; `.badKey`.
        init(
            _ assets: SigningAssets, signer: (any AppLicenseSigner)? = nil, on pool: CryptoPool
        ) throws(EngineError) {
            self.pool = pool
            switch try assets.signingKey.signing(signer) {
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

        var isSimulated: Bool { false }

        /// Parses a request with Apple's module.
        ///
        /// - Throws: `.requestUnreadable`.
        func open(clientRequest: [UInt8]) throws(EngineError) -> any AppLicenseSession {
            // Each request gets its own provider, because Apple doesn't document whether threads may share one.
            let provider = ALDProvider(
                encryptionCert: encryptionCertificate, signingCert: signingCertificate, PASK: pask,
                signingKey: signingKey)
            do {
                return ALDLicenseSession(
                    try provider.createSession(clientRequest: clientRequest), signer: signer, on: pool)
            } catch {
                throw EngineError(.requestUnreadable, "Apple's module can't read the request", cause: error)
            }
        }

        /// Begins a session for static licenses.
        ///
        /// - Throws: `.engineFailed`.
        func openStatic() throws(EngineError) -> any AppLicenseSession {
            do {
                let session = try ALDSession(signingCert: signingCertificate, signingKey: signingKey, PASK: pask)
                return ALDLicenseSession(session, signer: signer, on: pool)
            } catch {
                throw EngineError(.engineFailed, "Apple's module couldn't start a static license session", cause: error)
            }
        }

        private static func der(_ key: RSA.PrivateKey) throws(EngineError) -> [UInt8] {
            do {
                return try key.der()
            } catch {
                throw EngineError(.badKey, "the signing key couldn't be encoded for Apple's module", cause: error)
            }
        }
    }
#endif
