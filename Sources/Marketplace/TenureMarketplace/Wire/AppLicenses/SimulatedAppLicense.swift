#if !canImport(CryptoKit)
    public import TenureFormats

    /// Licenses for apps on one device, as the simulated engine grants them.
    ///
    /// This is Tenure's own format (`Documentation/formats.md`); iOS doesn't accept it. A value of this type was
    /// created here or has been verified.
    public struct SimulatedAppLicense: Sendable, Hashable {
        /// The `typ` in the JWS header of a simulated license.
        public static let type = "tenure-simulated-app-license"

        /// The key blob of one variant of an app, identified by its digest.
        public struct AppKey: Sendable, Hashable {
            /// Apple's item id of the app that the blob unlocks.
            public var appleItemID: UInt64
            /// SHA-256 of the key blob: 32 bytes.
            public var keyBlobSHA256: [UInt8]

            /// Creates a value from its parts.
            public init(appleItemID: UInt64, keyBlobSHA256: [UInt8]) {
                self.appleItemID = appleItemID
                self.keyBlobSHA256 = keyBlobSHA256
            }
        }

        /// One license in the response, which may cover several apps.
        public struct License: Sendable, Hashable {
            /// The id by which the license can be renewed.
            public var licenseID: UInt64
            /// When the license was issued, in POSIX seconds.
            public var issuedTime: UInt64
            /// Seconds from ``issuedTime`` until the license expires; 0 if it never does.
            public var duration: UInt64
            /// The apps that the license covers, by key blob.
            public var appKeys: [AppKey]
            /// Apps whose licenses this license revokes.
            public var revokedAppleItemIDs: [UInt64]

            /// Creates a license from its parts.
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

        /// The id of the device's request; 0 for static licenses.
        public var requestID: UInt64

        /// The requesting device's id; empty for static licenses.
        public var deviceID: [UInt8]

        /// The granted licenses; empty if all were refused.
        public var licenses: [License]

        /// Creates a response from its parts.
        public init(requestID: UInt64, deviceID: [UInt8], licenses: [License]) {
            self.requestID = requestID
            self.deviceID = deviceID
            self.licenses = licenses
        }

        /// Returns the header and payload to sign.
        ///
        /// - Parameter certificateSHA256: The SHA-256 of the signing certificate's DER, which the header names.
        public func signingInput(certificateSHA256: [UInt8]) -> JWSSigningInput {
            JWSSigningInput(algorithm: .rs256, type: Self.type, payload: json()) { header in
                header.member("x5t#S256", base64URL: certificateSHA256)
            }
        }

        /// The payload to sign, as a JSON object.
        func json() -> [UInt8] {
            JSONWriter.object(room: 256 + 256 * licenses.count) { object in
                object.member("v", 1)
                object.member("requestID", quoted: requestID)
                object.member("deviceID", base64: deviceID)
                object.array("licenses") { list in
                    for license in licenses { list.object { license.write(into: &$0) } }
                }
            }
        }
    }

    extension SimulatedAppLicense.License {
        fileprivate func write(into object: inout JSONObjectWriter) {
            object.member("licenseID", quoted: licenseID)
            object.member("issuedTime", unsigned: issuedTime)
            object.member("duration", unsigned: duration)
            object.array("appKeys") { list in
                for key in appKeys {
                    list.object { object in
                        object.member("appleItemID", quoted: key.appleItemID)
                        object.member("keyBlobSHA256", hex: key.keyBlobSHA256)
                    }
                }
            }
            object.member("revokedAppleItemIDs", revokedAppleItemIDs.map { String($0) })
        }
    }
#endif
