public import TenureCrypto

/// The keys that may sign a tenant's statements: `typ` `tenure-keyset+jwt`.
///
/// The payload is also a JWK set (RFC 7517, RFC 8037). A client that verified it with a key it already trusts may trust
/// the other keys too (``TrustedKeys/adopt(_:)``).
public struct TenureKeyset: TenureStatement {
    /// The value of the header's `typ`.
    public static let type = "tenure-keyset+jwt"

    /// The most keys that a keyset may have.
    public static let mostKeys = 64

    /// A public key and its id.
    public struct Key: Sendable, Hashable {
        /// The key's id in headers.
        public let kid: String
        /// The key that verifies statements with this `kid`.
        public let publicKey: Ed25519.PublicKey

        /// Creates a key from its parts.
        public init(kid: String, publicKey: Ed25519.PublicKey) {
            self.kid = kid
            self.publicKey = publicKey
        }
    }

    /// The envelope, bound to the product only: key hash, device and activation are `nil`.
    public let envelope: StatementEnvelope

    /// The id of the key that signs new statements.
    public let primaryKid: String

    /// The keys, oldest first.
    public let keys: [Key]

    /// Creates a keyset from its parts.
    public init(_ envelope: StatementEnvelope, primaryKid: String, keys: [Key]) {
        self.envelope = envelope
        self.primaryKid = primaryKid
        self.keys = keys
    }

    /// Reads the members that follow the envelope; keys of other types are ignored.
    ///
    /// Throws: `.badMember`, also if the primary key is missing, a `kid` is empty or used twice, or there are more than
    /// 64 keys.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        var keys: [Key] = []
        var names = Set<String>()
        for member in try members.require("keys", members.objects("keys")) {
            guard let key = try JWK(member) else { continue }
            guard !key.kid.isEmpty, names.insert(key.kid).inserted, keys.count < Self.mostKeys else {
                throw FormatError(.badMember, "a keyset has too many keys, or a key without a unique kid")
            }
            keys.append(Key(kid: key.kid, publicKey: key.publicKey))
        }
        let primary = try members.require("primary", members.string("primary"))
        guard names.contains(primary) else {
            throw FormatError(.badMember, "the primary key must be one of the keys of the keyset")
        }
        self.init(envelope, primaryKid: primary, keys: keys)
    }

    /// Writes the members that follow the envelope.
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
                    member.member("x", base64URL: key.publicKey.bytes)
                }
            }
        }
    }
}

/// The keys that a client trusts: those compiled into the app, and those of a keyset that a trusted key signed.
///
/// Apart from ``pinned``, a key that was fetched without such a signature is never trusted.
public struct TrustedKeys: Sendable, Hashable {
    /// The keys that are trusted from the start, by `kid`: those compiled into the app; they are never replaced.
    ///
    /// If the app trusts keys that the server sends over TLS, those are included.
    public let pinned: [String: Ed25519.PublicKey]

    /// The keys of the last adopted keyset, by `kid`.
    public private(set) var vouched: [String: Ed25519.PublicKey] = [:]

    /// Trusts only these keys, by `kid`, until a keyset is adopted.
    public init(pinned: [String: Ed25519.PublicKey]) {
        self.pinned = pinned
    }

    /// The key with this `kid`; pinned keys take precedence.
    public subscript(kid: String) -> Ed25519.PublicKey? { pinned[kid] ?? vouched[kid] }

    /// The ids of all trusted keys, sorted; a request for the keyset names them.
    public var kids: [String] { Set(pinned.keys).union(vouched.keys).sorted() }

    /// Replaces the vouched keys with those of a keyset that was verified with these keys.
    ///
    /// Throws: `.badMember`, and changes nothing, if the keyset assigns the `kid` of a trusted key to another key.
    public mutating func adopt(_ keyset: TenureKeyset) throws(FormatError) {
        var fresh: [String: Ed25519.PublicKey] = [:]
        for key in keyset.keys {
            if let publicKey = self[key.kid], publicKey != key.publicKey {
                throw FormatError(
                    .badMember, "the keyset gives the kid of a trusted key to a different key, so it is rejected")
            }
            if pinned[key.kid] == nil { fresh[key.kid] = key.publicKey }
        }
        vouched = fresh
    }

    /// The trusted key that a document names in `kid`; throws `.unknownKey` if there isn't one, and `.badMember` if the
    /// document has no `kid`.
    func key(of document: UnverifiedJWS) throws(FormatError) -> Ed25519.PublicKey {
        let kid = try document.header.require("kid", document.header.string("kid"))
        guard let key = self[kid] else {
            throw FormatError(.unknownKey, "the key that signed the statement is not trusted; fetch the keyset again")
        }
        return key
    }
}
