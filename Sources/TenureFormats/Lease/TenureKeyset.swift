public import TenureCrypto

/// The keys that a tenant's statements may be signed with: `typ` `tenure-keyset+jwt`.
///
/// Its payload is a JWK set too (RFC 7517, RFC 8037). A client that verified it under a key that it trusts already may
/// trust the others as well: the signer vouches for them (``TrustedKeys/adopt(_:)``).
public struct TenureKeyset: TenureStatement {
    /// The header's `typ`.
    public static let type = "tenure-keyset+jwt"

    /// Keys in the longest keyset that is read.
    public static let mostKeys = 64

    /// A public key and its name.
    public struct Key: Sendable, Hashable {
        /// Its name in headers.
        public let kid: String
        /// The key.
        public let publicKey: Ed25519.PublicKey

        /// Names a key.
        public init(kid: String, publicKey: Ed25519.PublicKey) {
            self.kid = kid
            self.publicKey = publicKey
        }
    }

    /// Bound to the product alone: key hash, device and activation are nil.
    public let envelope: StatementEnvelope

    /// Names the key that signs now.
    public let primaryKid: String

    /// The keys, oldest first.
    public let keys: [Key]

    /// Puts a keyset together.
    public init(_ envelope: StatementEnvelope, primaryKid: String, keys: [Key]) {
        self.envelope = envelope
        self.primaryKid = primaryKid
        self.keys = keys
    }

    /// Reads what stands beside the envelope; keys of other kinds are ignored.
    ///
    /// Throws: `.badMember`, also when the primary key is not among the keys, a name is empty or used twice, or there
    /// are over 64 keys.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        var keys: [Key] = []
        var names = Set<String>()
        for member in try members.require("keys", members.objects("keys"))
        where member.string("kty").value == "OKP" && member.string("crv").value == "Ed25519" {
            let kid = try member.require("kid", member.string("kid"))
            let bytes = Base64.decodeURL(try member.require("x", member.string("x")))
            guard let bytes, let publicKey = try? Ed25519.PublicKey(bytes: bytes) else {
                throw FormatError(.badMember, "an Ed25519 public key is 32 bytes in base64url")
            }
            guard !kid.isEmpty, names.insert(kid).inserted, keys.count < Self.mostKeys else {
                throw FormatError(.badMember, "the keys of a keyset have a kid each, no two the same, and are few")
            }
            keys.append(Key(kid: kid, publicKey: publicKey))
        }
        let primary = try members.require("primary", members.string("primary"))
        guard names.contains(primary) else {
            throw FormatError(.badMember, "the primary key is among the keys of a keyset")
        }
        self.init(envelope, primaryKid: primary, keys: keys)
    }

    /// Writes what stands beside the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.member("primary", primaryKid)
        object.array("keys") { list in
            for key in keys {
                list.object { member in
                    member.member("kty", "OKP")
                    member.member("crv", "Ed25519")
                    member.member("use", "sig")
                    member.member("alg", JWSAlgorithm.edDSA.rawValue)
                    member.member("kid", key.kid)
                    member.member("x", Base64.encodeURL(key.publicKey.bytes))
                }
            }
        }
    }
}
