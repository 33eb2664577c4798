#if !canImport(CryptoKit)
    public import TenureCore
    import TenureCrypto
    public import TenureFormats

    /// A license token of DoveRunner (PallyCon), policy version 2.
    ///
    /// It is sent to DoveRunner's license server in the HTTP header ``header``.
    public struct DoveRunnerToken: Sendable, Hashable {
        /// The name of the HTTP header that carries the token.
        public static let header = "pallycon-customdata-v2"

        /// How long a token is valid, in seconds.
        public static let lifetime: Int64 = 600

        /// The DRM system that the token is for; the spelling is case-sensitive.
        public enum DRM: String, Sendable, Hashable, CaseIterable {
            /// Google Widevine, for Android and most browsers.
            case widevine = "Widevine"
            /// Microsoft PlayReady, for Windows and some televisions.
            case playReady = "PlayReady"
            /// Apple FairPlay, for Apple's devices.
            case fairPlay = "FairPlay"
            /// DoveRunner's own system, NCG.
            case ncg = "NCG"
        }

        /// A site's id and keys at DoveRunner.
        public struct Site: Sendable {
            /// The id that DoveRunner gave the site.
            public let id: String
            /// The site key: 32 bytes of text, used as an AES-256 key.
            let siteKey: String
            /// The access key, which goes into the token's hash.
            let accessKey: String

            /// Creates a site; fails if the site key isn't 32 bytes long or the id is empty.
            public init?(id: String, siteKey: String, accessKey: String) {
                guard siteKey.utf8.count == AES256CBC.keyLength, !id.isEmpty else { return nil }
                self.id = id
                self.siteKey = siteKey
                self.accessKey = accessKey
            }
        }

        /// The token's `policy`, which is encrypted when the token is created.
        public struct Policy: Sendable, Hashable {
            /// The policy's JSON text in UTF-8, not encrypted.
            public let json: [UInt8]

            /// Creates a policy from its JSON text.
            public init(json: [UInt8]) { self.json = json }

            /// Creates a policy from terms: a persistent license that ends when they do.
            ///
            /// If the terms have a window from the first play, it becomes `playback_duration`; the time until they end
            /// becomes `rental_duration`. A duration is at least 1, because 0 would mean no limit.
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

        /// The token in base64, as the header's value.
        public let text: String
        /// The token's hash in base64.
        let hash: String
        /// When the token expires, ``lifetime`` seconds after its creation.
        public let expiresAt: Timestamp

        /// Creates a token and encrypts its policy.
        ///
        /// - Throws: `.badMember` if the user isn't 1 to 32 bytes or the content isn't 1 to 200 bytes; `.notMade` if
        ///   encryption fails.
        public init(
            _ policy: Policy, for drm: DRM, user: String, content: String, site: Site, at now: Timestamp
        ) throws(FormatError) {
            guard (1...32).contains(user.utf8.count), (1...200).contains(content.utf8.count) else {
                throw FormatError(
                    .badMember,
                    "DoveRunner accepts a user id of 1 to 32 bytes and a content id of 1 to 200 bytes; use shorter ids")
            }
            let sealed: String
            do {
                let cipher = try AES256CBC(
                    key: Array(site.siteKey.utf8), initializationVector: Array("0123456789abcdef".utf8))
                sealed = Base64.encode(try cipher.encrypt(policy.json))
            } catch {
                throw FormatError(.notMade, "the policy couldn't be encrypted: \(error)")
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
