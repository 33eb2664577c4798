import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats

/// A license message of Axinom DRM, version 2: a JWT that is sent to its license server in the HTTP header ``header``.
struct AxinomMessage: Sendable, Hashable {
    /// The name of the HTTP header that carries the message.
    static let header = "X-AxDRM-Message"

    /// A tenant's communication key at Axinom, which signs messages.
    struct Key: Sendable {
        /// The key's id at Axinom, a UUID.
        let id: String
        let bytes: [UInt8]

        /// Creates a key; fails if `base64` isn't base64 of 32 bytes or `id` isn't a UUID.
        init?(id: String, base64: String) {
            guard let bytes = Base64.decode(base64), bytes.count == 32, ActivationID(text: id) != nil else {
                return nil
            }
            self.id = id
            self.bytes = bytes
        }
    }

    /// What the license permits; a limit that is `nil` is left out of the message.
    struct License: Sendable, Hashable {
        /// The first moment at which the license is no longer valid.
        var expiresAt: Timestamp?
        /// Whether the player may store the license.
        var isPersistent: Bool
        /// How long the license is valid from its issue, in seconds.
        var duration: Int64?
        /// How long playback may continue from the first play, in seconds.
        var playbackDuration: Int64?

        init(
            expiresAt: Timestamp? = nil, isPersistent: Bool = false, duration: Int64? = nil,
            playbackDuration: Int64? = nil
        ) {
            self.expiresAt = expiresAt
            self.isPersistent = isPersistent
            self.duration = duration
            self.playbackDuration = playbackDuration
        }

        /// Creates a persistent license that ends when the terms do.
        init(_ terms: ContentTerms) {
            self.init(
                expiresAt: terms.expiresAt, isPersistent: true,
                playbackDuration: terms.windowAfterFirstPlay.map { max(1, $0) })
        }
    }

    /// The permissions and limits in the message.
    let license: License
    /// The ids of the content keys that the license covers: UUIDs in lower case.
    let keyIDs: [String]

    /// Creates a message; fails if there are no key ids or one isn't a UUID.
    init?(_ license: License, keyIDs: [String]) {
        let read = keyIDs.compactMap { ActivationID(text: $0)?.description }
        guard !read.isEmpty, read.count == keyIDs.count else { return nil }
        self.license = license
        self.keyIDs = read
    }

    /// The message as a compact JWT, signed with HMAC-SHA256.
    func signed(_ key: Key) -> String {
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
            // ISO 8601 with an offset, as Axinom's documentation shows it.
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
