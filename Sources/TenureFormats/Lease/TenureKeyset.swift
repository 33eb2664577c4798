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
        /// Verifies the statements that name the `kid`.
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
        for member in try members.require("keys", members.objects("keys")) {
            guard let key = try JWK(member) else { continue }
            guard !key.kid.isEmpty, names.insert(key.kid).inserted, keys.count < Self.mostKeys else {
                throw FormatError(.badMember, "the keys of a keyset have a kid each, no two the same, and are few")
            }
            keys.append(Key(kid: key.kid, publicKey: key.publicKey))
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

/// The keys that a client believes: those compiled into the app, and those that one of them vouched for.
///
/// A key that merely was fetched is never among them (`spec/field.md` §4, ask 23).
public struct TrustedKeys: Sendable, Hashable {
    /// The keys compiled into the app; they stay whatever happens.
    public let pinned: [String: Ed25519.PublicKey]

    /// The keys that a verified keyset named.
    public private(set) var vouched: [String: Ed25519.PublicKey] = [:]

    /// Begins with the keys compiled into the app, by `kid`.
    public init(pinned: [String: Ed25519.PublicKey]) {
        self.pinned = pinned
    }

    /// The key of that name, or nil; a pinned one goes first.
    public subscript(kid: String) -> Ed25519.PublicKey? { pinned[kid] ?? vouched[kid] }

    /// The names, in the order of their bytes: what a request for the keyset says is trusted already.
    public var kids: [String] { Set(pinned.keys).union(vouched.keys).sorted() }

    /// Takes in a keyset that verified under these keys; what an earlier one vouched for and this one leaves out goes.
    ///
    /// Throws: `.badMember`, and takes in nothing, when the keyset gives a trusted name to another key.
    public mutating func adopt(_ keyset: TenureKeyset) throws(FormatError) {
        var fresh: [String: Ed25519.PublicKey] = [:]
        for key in keyset.keys {
            if let known = self[key.kid], known != key.publicKey {
                throw FormatError(
                    .badMember, "the keyset gives the name of a trusted key to another; nothing of it is believed")
            }
            if pinned[key.kid] == nil { fresh[key.kid] = key.publicKey }
        }
        vouched = fresh
    }

    /// The key that a document names in `kid`.
    func key(of document: UnverifiedJWS) throws(FormatError) -> Ed25519.PublicKey {
        let kid = try document.header.require("kid", document.header.string("kid"))
        guard let key = self[kid] else {
            throw FormatError(.unknownKey, "the key that signed the statement is not trusted; read the keyset again")
        }
        return key
    }
}
