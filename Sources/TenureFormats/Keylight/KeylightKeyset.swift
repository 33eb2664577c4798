public import TenureCrypto

/// The public keys that a tenant's leases may be signed with, as `/.well-known/keylight-keys` serves them.
///
/// `{"primary_kid":"k1","keys":[{"kid":"k1","alg":"ed25519","public_key":"<base64>"}]}` (`spec/keylight.md` §1.2).
public struct KeylightKeyset: Sendable, Hashable {
    /// A public key and its name.
    public struct Key: Sendable, Hashable {
        /// Its name in leases.
        public let kid: String
        /// Verifies the leases that name the `kid`.
        public let publicKey: Ed25519.PublicKey

        /// Names a key.
        public init(kid: String, publicKey: Ed25519.PublicKey) {
            self.kid = kid
            self.publicKey = publicKey
        }
    }

    /// Names the key that signs now.
    public let primaryKid: String

    /// The keys to trust, in the order they are served.
    public let keys: [Key]

    /// Puts a keyset together.
    ///
    /// Throws: `.badMember` when the primary key is not among the keys, a name is used twice or is empty, `.separator`
    /// when a name holds `|` or `,`.
    public init(primaryKid: String, keys: [Key]) throws(FormatError) {
        var names = Set<String>()
        for key in keys {
            guard !key.kid.isEmpty, names.insert(key.kid).inserted else {
                throw FormatError(.badMember, "the keys of a keyset need a kid each, and no two the same")
            }
            var text = SignedText(version: "")
            try text.add(key.kid, named: "the kid")
        }
        guard names.contains(primaryKid) else {
            throw FormatError(.badMember, "the primary key is not among the keys of the keyset; add it")
        }
        self.primaryKid = primaryKid
        self.keys = keys
    }

    /// Reads a served keyset; keys of other algorithms and unknown members are ignored.
    ///
    /// Throws: `.malformed`, and what ``init(primaryKid:keys:)`` throws.
    public init(json: [UInt8]) throws(FormatError) {
        try self.init(FlatObject(document: json, named: "keyset"))
    }

    /// Reads a keyset from an object that has been scanned.
    ///
    /// Throws: as ``init(json:)``.
    public init(_ object: FlatObject) throws(FormatError) {
        var keys: [Key] = []
        for member in try object.require("keys", object.objects("keys"))
        where try member.require("alg", member.string("alg")) == Self.algorithm {
            let bytes = try member.requireBase64("public_key")
            guard let publicKey = try? Ed25519.PublicKey(bytes: bytes) else {
                throw FormatError(.badMember, "an Ed25519 public key has 32 bytes, and this one \(bytes.count)")
            }
            keys.append(Key(kid: try member.require("kid", member.string("kid")), publicKey: publicKey))
        }
        try self.init(primaryKid: object.require("primary_kid", object.string("primary_kid")), keys: keys)
    }

    /// The keys by name, as verification takes them.
    public var trusted: [String: Ed25519.PublicKey] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0.kid, $0.publicKey) })
    }

    /// The keyset as a JSON object.
    public func json() -> [UInt8] {
        JSONWriter.object { object in
            object.member("primary_kid", primaryKid)
            object.array("keys") { array in
                for key in keys {
                    array.object { member in
                        member.member("kid", key.kid)
                        member.member("alg", Self.algorithm)
                        member.member("public_key", Base64.encode(key.publicKey.bytes))
                    }
                }
            }
        }
    }

    private static let algorithm = "ed25519"
}
