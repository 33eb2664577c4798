#if !canImport(CryptoKit)
    public import TenureCore
    import TenureCrypto

    /// A license token of DoveRunner (PallyCon), policy version 2: sent to its license server in ``header``.
    public struct DoveRunnerToken: Sendable, Hashable {
        /// The header that carries it.
        public static let header = "pallycon-customdata-v2"

        /// For how many seconds it holds.
        public static let lifetime: Int64 = 600

        /// Which license server it is for; the case counts.
        public enum DRM: String, Sendable, Hashable, CaseIterable {
            /// Google's.
            case widevine = "Widevine"
            /// Microsoft's.
            case playReady = "PlayReady"
            /// Apple's.
            case fairPlay = "FairPlay"
            /// DoveRunner's own.
            case ncg = "NCG"
        }

        /// The keys of a site, as their texts.
        public struct Site: Sendable {
            /// Its name.
            public let id: String
            /// 32 bytes, for AES-256.
            let siteKey: String
            /// What goes into the hash.
            let accessKey: String

            /// Takes the keys; refuses a site key that is not 32 bytes long.
            public init?(id: String, siteKey: String, accessKey: String) {
                guard siteKey.utf8.count == AES256CBC.keyLength, !id.isEmpty else { return nil }
                self.id = id
                self.siteKey = siteKey
                self.accessKey = accessKey
            }
        }

        /// What is permitted: the JSON of its `policy`, before it is encrypted.
        public struct Policy: Sendable, Hashable {
            /// The JSON text.
            public let json: [UInt8]

            /// Takes a policy as its JSON text.
            public init(json: [UInt8]) { self.json = json }

            /// The policy of terms: a license that is kept, until their end.
            ///
            /// With a window from the first play, that is the duration of playing, and the rest until the end the time
            /// to begin in. Nothing left is never 0, which would be no limit.
            public init(_ terms: ContentTerms, at now: Timestamp) {
                json = JSONWriter.object { object in
                    object.member("policy_version", 2)
                    object.object("playback_policy") { policy in
                        policy.member("persistent", true)
                        if let window = terms.windowAfterFirstPlay {
                            if let end = terms.expiresAt {
                                policy.member("rental_duration", max(1, now.seconds(until: end)))
                            }
                            policy.member("playback_duration", max(1, window))
                        } else if let end = terms.expiresAt {
                            policy.member("expire_date", end.description)
                        }
                    }
                }
            }
        }

        /// The token, in base64.
        public let text: String
        /// Its hash, in base64.
        let hash: String
        /// When it ends.
        public let expiresAt: Timestamp

        /// Makes a token.
        ///
        /// Throws: `.badMember` for a user of more than 32 bytes, a content of more than 200, and either empty;
        /// `.notMade`.
        public init(
            _ policy: Policy, for drm: DRM, user: String, content: String, site: Site, at now: Timestamp
        ) throws(FormatError) {
            guard (1...32).contains(user.utf8.count), (1...200).contains(content.utf8.count) else {
                throw FormatError(
                    .badMember, "DoveRunner takes a user of 1 to 32 bytes and a content of 1 to 200; use shorter names")
            }
            let sealed: String
            do {
                let cipher = try AES256CBC(
                    key: Array(site.siteKey.utf8), initializationVector: Array("0123456789abcdef".utf8))
                sealed = Base64.encode(try cipher.encrypt(policy.json))
            } catch {
                throw FormatError(.notMade, "the policy could not be encrypted: \(error)")
            }
            let parts = [site.accessKey, drm.rawValue, site.id, user, content, sealed, now.description]
            let hash = Base64.encode(SHA256.hash(Array(parts.joined().utf8)))
            let token = JSONWriter.object { object in
                object.member("drm_type", drm.rawValue)
                object.member("site_id", site.id)
                object.member("user_id", user)
                object.member("cid", content)
                object.member("policy", sealed)
                object.member("timestamp", now.description)
                object.member("hash", hash)
            }
            text = Base64.encode(token)
            self.hash = hash
            expiresAt = now.adding(seconds: Self.lifetime)
        }
    }
#endif
