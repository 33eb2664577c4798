#if canImport(ALD)
    import ALD
    import Synchronization
    import TenureServerKit

    /// Adapts a session of Apple's module to the protocol.
    final class ALDLicenseSession: AppLicenseSession {
        let action: AppLicenseAction
        let deviceID: [UInt8]
        let requestID: UInt64
        let requestTime: UInt64
        let requestVersion: UInt32
        let appleItemIDs: [UInt64]
        let licenseIDs: [UInt64]

        private let state: Mutex<State>
        private let signer: (any AppLicenseSigner)?
        private let pool: CryptoPool

        /// Apple's session and the ids of the granted licenses, which it doesn't expose.
        private struct State {
            let session: ALDSession
            var granted = Set<UInt64>()
        }

        init(_ session: sending ALDSession, signer: (any AppLicenseSigner)?, on pool: CryptoPool) {
            self.pool = pool
            action = AppLicenseAction(session.requestAction)
            deviceID = session.requestDeviceID
            requestID = session.requestID
            requestTime = session.requestTime
            requestVersion = session.requestVersion
            appleItemIDs = session.requestedAppleItemIDList
            licenseIDs = session.requestedLicenseIDList
            state = Mutex(State(session: session))
            self.signer = signer
        }

        func add(_ license: AppLicenseAttributes) throws(EngineError) {
            try perform("couldn't grant license \(license.licenseID)") { state in
                try Self.checkNew(license.licenseID, in: state)
                var attribute = ALDLicenseAttribute(licenseID: license.licenseID)
                attribute.issuedTime = license.issuedTime
                attribute.duration = license.duration
                for key in license.appKeys {
                    try Self.mappingKeyErrors(of: key.appleItemID) {
                        try attribute.addAppKey(ALDAppKey(appleItemID: key.appleItemID, appKeyBlob: key.keyBlob))
                    }
                }
                for item in license.revokedAppleItemIDs { try attribute.revokeAppleItemID(item) }
                try state.session.generateLicense(attr: attribute)
                state.granted.insert(license.licenseID)
            }
        }

        func addStatic(licenseID: UInt64, appKey: AppLicenseAttributes.AppKey) throws(EngineError) {
            try AppLicenseAttributes.check(licenseID: licenseID)
            try perform("couldn't grant static license \(licenseID)") { state in
                try Self.checkNew(licenseID, in: state)
                let key = try Self.mappingKeyErrors(of: appKey.appleItemID) {
                    try ALDAppKey(appleItemID: appKey.appleItemID, appKeyBlob: appKey.keyBlob)
                }
                try state.session.generateStaticLicense(licenseID: licenseID, appKey: key)
                state.granted.insert(licenseID)
            }
        }

        func response() throws(EngineError) -> [UInt8] {
            try perform("couldn't generate its response") { try $0.session.generateLicenseResponse() }
        }

        func finish(_ response: [UInt8], signature: [UInt8]?) async throws(EngineError) -> [UInt8] {
            var signature = signature
            if signature == nil, let signer { signature = try await signer.signature(over: response) }
            let found = signature
            let complete: @Sendable () -> Result<[UInt8], EngineError> = { [self] in
                Result { () throws(EngineError) in
                    try perform("couldn't complete the license") { state in
                        try state.session.finalizeLicenseResponse(licenseResponse: response, signature: found)
                    }
                }
            }
            // Without a signature, Apple's module signs here.
            guard found == nil else { return try complete().get().orEmptyLicense() }
            let completed: Result<[UInt8], EngineError>
            do {
                completed = try await pool.run(complete)
            } catch {
                throw EngineError(.notSigned, "Apple's module couldn't sign the license", cause: error)
            }
            return try completed.get().orEmptyLicense()
        }

        /// Runs the closure with exclusive access to Apple's session; an error of the closure becomes the cause of the
        /// thrown error.
        private func perform<Answer: Sendable>(
            _ failure: String, _ body: (inout State) throws -> Answer
        ) throws(EngineError) -> Answer {
            do {
                return try state.withLock { try body(&$0) }
            } catch let error as EngineError {
                throw error
            } catch {
                throw EngineError(.engineFailed, "Apple's module \(failure)", cause: error)
            }
        }

        /// Marks errors about a key blob, so that one blob doesn't look like a broken module.
        private static func mappingKeyErrors<Answer>(
            of item: UInt64, _ body: () throws -> Answer
        ) throws(EngineError) -> Answer {
            do {
                return try body()
            } catch {
                throw EngineError(.appKeyUnusable, "Apple's module can't use the key blob of app \(item)", cause: error)
            }
        }

        private static func checkNew(_ licenseID: UInt64, in state: State) throws(EngineError) {
            guard !state.granted.contains(licenseID) else {
                throw EngineError(.licenseRepeated, "license \(licenseID) was granted twice in one response")
            }
        }
    }

    extension AppLicenseAction {
        fileprivate init(_ action: ALDLicenseAction) {
            // Actions are compared one by one, not in a switch, because Apple's module may add actions.
            self =
                if action == .create {
                    .create
                } else if action == .renew {
                    .renew
                } else if action == .generateStatic {
                    .generateStatic
                } else {
                    .unknown
                }
        }
    }
#endif
