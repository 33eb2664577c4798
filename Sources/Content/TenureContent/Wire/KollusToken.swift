public import TenureCore
import TenureCrypto
import TenureFormats

/// Writes the compact JSON Web Tokens that Tenure sends to Kollus.
///
/// They are signed with HMAC-SHA256 and contain only the claims that Kollus requires.
public enum KollusToken {
    /// Returns the response body to a callback: `{"data": [...]}`, with one object for each item.
    /// - Parameters:
    ///   - replies: The response's objects, in the order of the items.
    ///   - key: The account's security key, as text.
    public static func answer(_ replies: [Reply], key: String) -> [UInt8] {
        answer(objects: replies.map { reply in JSONWriter.object { reply.write(into: &$0) } }, key: key)
    }

    /// Returns the response body to a callback, from objects that ``object(_:)`` wrote earlier.
    public static func answer(objects: [[UInt8]], key: String) -> [UInt8] {
        let list = [UInt8(ascii: "[")] + Array(objects.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
        return compact(key: key) { $0.member("data", json: list) }
    }

    /// Returns an answer as its JSON object in the response body, to be stored and sent again.
    public static func object(_ answer: KollusItem.Answer) -> [UInt8] {
        JSONWriter.object { answer.write(into: &$0) }
    }

    /// Returns the `expiration_date` of an object that ``object(_:)`` wrote, in POSIX seconds.
    ///
    /// 0 means that the content doesn't expire; `nil` means that the object has no such member.
    public static func expirationDate(of object: [UInt8]) -> Int64? {
        (try? FlatObject(scanning: object))?.integer("expiration_date").value
    }

    /// Returns the answer to an item that couldn't be read, as a JSON object.
    /// - Parameter message: The message for the user if the result is a refusal.
    public static func object(_ unread: KollusCallback.Unread, message: String? = nil) -> [UInt8] {
        JSONWriter.object { Reply.unread(unread).write(into: &$0, message: message) }
    }

    /// The answer to one item, whether it could be read or not.
    public enum Reply: Sendable, Hashable {
        /// The decision about a valid item.
        case answer(KollusItem.Answer)
        /// The answer to an item that couldn't be read.
        case unread(KollusCallback.Unread)

        fileprivate func write(into object: inout JSONObjectWriter, message: String? = nil) {
            switch self {
            case .answer(let answer): answer.write(into: &object)
            case .unread(let unread):
                object.member("kind", unread.kind)
                object.member("media_content_key", unread.key)
                object.member("result", unread.result ? 1 : 0)
                if !unread.result { object.member("message", message ?? "The request could not be understood.") }
            }
        }
    }

    static func compact(key: String, _ payload: (inout JSONObjectWriter) -> Void) -> [UInt8] {
        let input = JWSSigningInput(algorithm: .hs256, type: "JWT", payload: JSONWriter.object(payload))
        return input.compact(signature: HMACSHA256.code(of: input.bytes, under: Array(key.utf8)))
    }
}

extension KollusItem.Answer {
    /// Writes the members of an answer: numbers as JSON integers, and nothing for `nil`.
    fileprivate func write(into object: inout JSONObjectWriter) {
        func flag(_ name: String, _ value: Bool?) {
            if let value { object.member(name, value ? 1 : 0) }
        }
        object.member("kind", kind.rawValue)
        object.member("media_content_key", key)
        if let sessionKey { object.member("session_key", sessionKey) }
        if let startAt { object.member("start_at", startAt) }
        if let limits {
            object.member("expiration_date", limits.expirationDate)
            if let counts = limits.counts {
                object.member("expiration_count", counts.plays)
                object.member("expiration_playtime", counts.playSeconds)
            }
        }
        if let basis { object.member("expiration_playtime_type", basis == .media ? 0 : 1) }
        flag("expiration_refresh_popup", asksBefore)
        flag("check_abuse", needsOnline)
        flag("content_expired", isExpired)
        flag("content_expire_reset", isReset)
        flag("content_delete", isDeleted)
        if let checkInBy { object.member("check_expiration_date", checkInBy) }
        flag("result", result)
        if let message { object.member("message", message) }
    }
}

extension KollusToken {
    /// A token for an item of content in Kollus's player.
    ///
    /// Create it on the server, never in an app, since it needs the account's security key.
    public struct Media: Sendable, Hashable {
        /// A content item that the token covers.
        public struct Media: Sendable, Hashable {
            /// The media content key by which Kollus identifies the item.
            public let key: String
            /// A token for another license server, if the content is encrypted for several.
            public let drm: MultiDRM?

            /// Creates an item with these values, which aren't checked.
            public init(key: String, drm: MultiDRM? = nil) {
                self.key = key
                self.drm = drm
            }
        }

        /// Kollus's `drm_policy`: how to stream the item, the license server's URL, and the HTTP header to send there.
        public struct MultiDRM: Sendable, Hashable {
            /// `streaming_type`, such as `dash`.
            public let streamingType: String
            /// The URL of the license server that the player contacts.
            public let licenseURL: String
            /// The URL of FairPlay's certificate; `nil` for other systems.
            public let certificateURL: String?
            /// The name of the HTTP header that carries ``value``.
            public let header: String
            /// The value of ``header``: a ``DoveRunnerToken``.
            public let value: String

            /// Creates a policy with these values, which aren't checked.
            public init(
                streamingType: String, licenseURL: String, certificateURL: String?, header: String, value: String
            ) {
                self.streamingType = streamingType
                self.licenseURL = licenseURL
                self.certificateURL = certificateURL
                self.header = header
                self.value = value
            }
        }

        /// How long a token is valid by default, in seconds.
        public static let lifetime: Int64 = 300

        /// `cuid`: the license holder's id at Kollus.
        public let user: String
        /// `expt`: when the token expires.
        public let expiresAt: Timestamp
        /// The content items that may be played.
        public let media: [Media]

        /// Creates an unsigned token with these values; see ``signed(key:)``.
        public init(user: String, expiresAt: Timestamp, media: [Media]) {
            self.user = user
            self.expiresAt = expiresAt
            self.media = media
        }

        /// Returns the token as a compact JWT, signed with the account's security key.
        public func signed(key: String) -> String {
            let bytes = KollusToken.compact(key: key) { object in
                object.member("cuid", user)
                object.member("expt", expiresAt.seconds)
                object.array("mc") { list in
                    for one in media {
                        list.object { member in
                            member.member("mckey", one.key)
                            if let drm = one.drm { member.object("drm_policy") { drm.write(into: &$0) } }
                        }
                    }
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Returns the URL that plays or downloads the content; it contains the signed token.
        public func url(key: String, customKey: String, isDownload: Bool) -> String {
            "https://v.kr.kollus.com/s?jwt=\(signed(key: key))&custom_key=\(Self.escaped(customKey))"
                + (isDownload ? "&download" : "")
        }

        /// Percent-encodes everything except RFC 3986's unreserved characters.
        private static func escaped(_ text: String) -> String {
            text.utf8.map { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
                default: "%" + Hex.encode([byte]).uppercased()
                }
            }.joined()
        }
    }
}

extension KollusToken.Media.MultiDRM {
    fileprivate func write(into object: inout JSONObjectWriter) {
        object.member("kind", "inka")
        object.member("streaming_type", streamingType)
        object.object("data") { data in
            data.member("license_url", licenseURL)
            if let certificateURL { data.member("certificate_url", certificateURL) }
            data.object("custom_header") { custom in
                custom.member("key", header)
                custom.member("value", value)
            }
        }
    }
}
