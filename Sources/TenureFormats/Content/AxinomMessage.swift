public import TenureCore
import TenureCrypto

/// A license message of Axinom DRM, version 2: a JWT that is sent to its license server in ``header``.
public struct AxinomMessage: Sendable, Hashable {
    /// The header that carries it.
    public static let header = "X-AxDRM-Message"

    /// The communication key of a tenant at Axinom.
    public struct Key: Sendable {
        /// Its name, a UUID.
        public let id: String
        let bytes: [UInt8]

        /// Takes a key; refuses what is not base64 of 32 bytes, and a name that is no UUID.
        public init?(id: String, base64: String) {
            guard let bytes = Base64.decode(base64), bytes.count == 32, ActivationID(text: id) != nil else {
                return nil
            }
            self.id = id
            self.bytes = bytes
        }
    }

    /// What is permitted. What is nil is not said.
    public struct License: Sendable, Hashable {
        /// The first moment at which it no longer holds.
        public var expiresAt: Timestamp?
        /// Whether it may be kept.
        public var isPersistent: Bool
        /// How long it holds from when it was had, in seconds.
        public var duration: Int64?
        /// How long it may be played from the first play, in seconds.
        public var playbackDuration: Int64?

        /// States a license.
        public init(
            expiresAt: Timestamp? = nil, isPersistent: Bool = false, duration: Int64? = nil,
            playbackDuration: Int64? = nil
        ) {
            self.expiresAt = expiresAt
            self.isPersistent = isPersistent
            self.duration = duration
            self.playbackDuration = playbackDuration
        }

        /// The license of terms: one that is kept, until their end.
        public init(_ terms: ContentTerms) {
            self.init(
                expiresAt: terms.expiresAt, isPersistent: true,
                playbackDuration: terms.windowAfterFirstPlay.map { max(1, $0) })
        }
    }

    /// What is permitted.
    public let license: License
    /// The content keys that it is for, UUIDs in lower case.
    public let keyIDs: [String]

    /// Puts a message together; refuses no keys, and a key's name that is no UUID.
    public init?(_ license: License, keyIDs: [String]) {
        let read = keyIDs.compactMap { ActivationID(text: $0)?.description }
        guard !read.isEmpty, read.count == keyIDs.count else { return nil }
        self.license = license
        self.keyIDs = read
    }

    /// The message as a compact JWT.
    public func signed(_ key: Key) -> String {
        let payload = JSONWriter.object { object in
            object.member("version", 1)
            object.member("com_key_id", key.id)
            object.object("message") { message in
                message.member("type", "entitlement_message")
                message.member("version", 2)
                message.object("license") { license.write(into: &$0) }
                message.object("content_keys_source") { source in
                    source.array("inline") { list in
                        for id in keyIDs { list.object { $0.member("id", id) } }
                    }
                }
            }
        }
        let input = JWSSigningInput(algorithm: .hs256, type: "JWT", payload: payload)
        return String(
            decoding: input.compact(signature: HMACSHA256.code(of: input.bytes, under: key.bytes)), as: UTF8.self)
    }
}

extension AxinomMessage.License {
    func write(into object: inout JSONObjectWriter) {
        if let expiresAt {
            // ISO 8601 with an offset, as its documentation writes it.
            object.member("expiration_datetime", expiresAt.description.dropLast() + "+00:00")
        }
        object.member("allow_persistence", isPersistent)
        if let duration { object.member("duration", duration) }
        if let playbackDuration {
            for system in ["widevine", "fairplay", "playready"] {
                object.object(system) { $0.member("playback_duration", playbackDuration) }
            }
        }
    }
}
