#if !canImport(CryptoKit)
    /// Licenses for apps on one device, as the simulated engine grants them (Tenure's own format,
    /// `Documentation/formats.md`).
    ///
    /// A value of this type was made here or has been verified; iOS does not accept it.
    public struct SimulatedAppLicense: Sendable, Hashable {
        /// The header's `typ`.
        public static let type = "tenure-simulated-app-license"

        /// The key blob of one variant of an app, named by its digest.
        public struct AppKey: Sendable, Hashable {
            /// Apple's number for the app that the blob opens.
            public var appleItemID: UInt64
            /// SHA-256 of the key blob: 32 bytes.
            public var keyBlobSHA256: [UInt8]

            /// Names a key blob.
            public init(appleItemID: UInt64, keyBlobSHA256: [UInt8]) {
                self.appleItemID = appleItemID
                self.keyBlobSHA256 = keyBlobSHA256
            }
        }

        /// One license.
        public struct License: Sendable, Hashable {
            /// Names it.
            public var licenseID: UInt64
            /// When it was issued, in POSIX seconds.
            public var issuedTime: UInt64
            /// Seconds until it ends; 0 when it never does.
            public var duration: UInt64
            /// The apps that it is for.
            public var appKeys: [AppKey]
            /// Apps that it takes away.
            public var revokedAppleItemIDs: [UInt64]

            /// Describes a license.
            public init(
                licenseID: UInt64, issuedTime: UInt64, duration: UInt64, appKeys: [AppKey],
                revokedAppleItemIDs: [UInt64] = []
            ) {
                self.licenseID = licenseID
                self.issuedTime = issuedTime
                self.duration = duration
                self.appKeys = appKeys
                self.revokedAppleItemIDs = revokedAppleItemIDs
            }
        }

        /// The request that it answers; 0 for static licenses.
        public var requestID: UInt64

        /// The device that asked; empty for static licenses.
        public var deviceID: [UInt8]

        /// The licenses, none when all were refused.
        public var licenses: [License]

        /// Puts an answer together.
        public init(requestID: UInt64, deviceID: [UInt8], licenses: [License]) {
            self.requestID = requestID
            self.deviceID = deviceID
            self.licenses = licenses
        }

        /// What the signing key signs, given the SHA-256 of its certificate's DER.
        public func signingInput(certificateSHA256: [UInt8]) -> JWSSigningInput {
            JWSSigningInput(algorithm: .rs256, type: Self.type, payload: json()) { header in
                header.member("x5t#S256", Base64.encodeURL(certificateSHA256))
            }
        }

        /// The payload as a JSON object.
        func json() -> [UInt8] {
            JSONWriter.object { object in
                object.member("v", 1)
                object.member("requestID", String(requestID))
                object.member("deviceID", Base64.encode(deviceID))
                object.array("licenses") { list in
                    for license in licenses { list.object { license.write(into: &$0) } }
                }
            }
        }
    }

    extension SimulatedAppLicense.License {
        fileprivate func write(into object: inout JSONObjectWriter) {
            object.member("licenseID", String(licenseID))
            object.member("issuedTime", unsigned: issuedTime)
            object.member("duration", unsigned: duration)
            object.array("appKeys") { list in
                for key in appKeys {
                    list.object { object in
                        object.member("appleItemID", String(key.appleItemID))
                        object.member("keyBlobSHA256", Hex.encode(key.keyBlobSHA256))
                    }
                }
            }
            object.member("revokedAppleItemIDs", revokedAppleItemIDs.map { String($0) })
        }
    }
#endif
