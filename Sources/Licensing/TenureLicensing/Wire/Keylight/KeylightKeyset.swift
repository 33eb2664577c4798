public import TenureCrypto
public import TenureFormats

/// The public keys that may sign a tenant's leases, as served at `/.well-known/keylight-keys`.
///
/// `{"primary_kid":"k1-q7d2","keys":[{"kid":"k1-q7d2","alg":"ed25519","public_key":"<base64>"}]}` (Keylight's
/// documentation).
public struct KeylightKeyset: Sendable, Hashable {
    /// A public key and its id.
    public struct Key: Sendable, Hashable {
        /// The key's id in leases.
        public let kid: String
        /// The key that verifies leases with this `kid`.
        public let publicKey: Ed25519.PublicKey

        /// Creates a key with its id; a keyset checks the id.
        public init(kid: String, publicKey: Ed25519.PublicKey) {
            self.kid = kid
            self.publicKey = publicKey
        }
    }

    /// The id of the current signing key.
    public let primaryKid: String

    /// The trusted keys, in the order in which they are served.
    public let keys: [Key]

    /// Creates a keyset from its keys.
    ///
    /// - Throws: `.badMember` if the primary key is missing, or a `kid` is empty or used twice. `.separator` if a `kid`
    ///   contains `|` or `,`.
    public init(primaryKid: String, keys: [Key]) throws(FormatError) {
        var names = Set<String>()
        for key in keys {
            guard !key.kid.isEmpty, names.insert(key.kid).inserted else {
                throw FormatError(.badMember, "each key of a keyset needs a unique kid")
            }
            var text = SignedText(version: "")
            try text.add(key.kid, named: "the kid")
        }
        guard names.contains(primaryKid) else {
            throw FormatError(.badMember, "the primary key is missing from the keyset; add it")
        }
        self.primaryKid = primaryKid
        self.keys = keys
    }

    /// Reads a served keyset; keys with other algorithms and unknown fields are ignored.
    ///
    /// - Throws: `.malformed`, and the errors of ``init(primaryKid:keys:)``.
    public init(json: [UInt8]) throws(FormatError) {
        try self.init(FlatObject(document: json, named: "keyset"))
    }

    /// Reads a keyset from a scanned object.
    ///
    /// - Throws: The errors of ``init(json:)``.
    public init(_ object: FlatObject) throws(FormatError) {
        var keys: [Key] = []
        for member in try object.require("keys", object.objects("keys"))
        where try member.require("alg", member.string("alg")) == Self.algorithm {
            let bytes = try member.requireBase64("public_key")
            guard let publicKey = try? Ed25519.PublicKey(bytes: bytes) else {
                throw FormatError(
                    .badMember, "an Ed25519 public key must have 32 bytes, but this one has \(bytes.count)")
            }
            keys.append(Key(kid: try member.require("kid", member.string("kid")), publicKey: publicKey))
        }
        try self.init(primaryKid: object.require("primary_kid", object.string("primary_kid")), keys: keys)
    }

    /// The public keys by `kid`, as verification needs them.
    public var trusted: [String: Ed25519.PublicKey] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0.kid, $0.publicKey) })
    }

    /// The keyset as it is served: a JSON object.
    public func json() -> [UInt8] {
        JSONWriter.object { object in
            object.member("primary_kid", primaryKid)
            object.array("keys") { array in
                for key in keys {
                    array.object { member in
                        member.member("kid", key.kid)
                        member.member("alg", Self.algorithm)
                        member.member("public_key", base64: key.publicKey.bytes)
                    }
                }
            }
        }
    }

    private static let algorithm = "ed25519"
}
