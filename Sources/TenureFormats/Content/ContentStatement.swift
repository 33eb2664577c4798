public import TenureCore
public import TenureCrypto

/// Something that a server of content says under its signature: a compact JWS of one `typ`.
///
/// Its payload begins with `v` and `tenant`. It has neither `exp` nor `nbf`, for a library that knows those would refuse
/// what is to be kept for longer.
public protocol ContentStatement: Sendable, Hashable {
    /// The header's `typ`; a statement of another one is never taken for this.
    static var type: String { get }

    /// Whose content it is about.
    var tenant: TenantID { get }

    /// Reads what stands behind `v` and `tenant`. Throws: `.badMember`.
    init(_ tenant: TenantID, _ members: FlatObject) throws(FormatError)

    /// Writes what stands behind `v` and `tenant`.
    func write(into object: inout JSONObjectWriter)
}

extension ContentStatement {
    /// The statement as a compact JWS: `alg` EdDSA, `typ`, `kid` (RFC 7515, RFC 8037).
    public func signed(kid: String, with key: Ed25519.PrivateKey) -> [UInt8] {
        let input = JWSSigningInput(algorithm: .edDSA, type: Self.type, payload: json()) { header in
            header.member("kid", kid)
        }
        return input.compact(signature: key.sign(input.bytes))
    }

    func json() -> [UInt8] {
        JSONWriter.object { object in
            object.member("v", 1)
            object.member("tenant", tenant.text)
            write(into: &object)
        }
    }
}

/// A statement about content as it arrived: well-formed, and nothing more.
public struct UnverifiedContentStatement<Statement: ContentStatement>: Sendable {
    /// Bytes in the longest one that is read: 64 KiB.
    public static var longest: Int { 1 << 16 }

    /// The bytes, to keep.
    public let compact: [UInt8]

    private let document: UnverifiedJWS

    /// Reads a compact JWS.
    ///
    /// Throws: `.malformed`.
    public init(compact bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.longest else {
            throw FormatError(.malformed, "a statement has at most \(Self.longest) bytes")
        }
        document = try UnverifiedJWS(compact: bytes)
        compact = bytes
    }

    /// The statement, when a trusted key signed it as one of its type about this tenant's content.
    ///
    /// What else it has to be about, its license, device or nonce, is the caller's to compare.
    ///
    /// Throws: `.unknownKey`, `.badSignature`; `.malformed` and `.badMember` for a signed payload that does not read;
    /// `.otherProduct` for another tenant's.
    public func verify(of tenant: TenantID, trusting keyset: TrustedKeys) throws(FormatError) -> Statement {
        let key = try keyset.key(of: document)
        let payload = try document.payload(ofType: Statement.type, signedBy: .edDSA(key))
        let members = try FlatObject(document: payload, named: "statement")
        guard try members.require("v", members.integer("v")) == 1 else {
            throw FormatError(.badMember, "a statement has version 1; a newer client may know more")
        }
        guard try members.read("tenant", { TenantID($0) }) == tenant else {
            throw FormatError(.otherProduct, "the statement is about another tenant's content")
        }
        return try Statement(tenant, members)
    }
}

/// A grant as it arrived.
public typealias UnverifiedContentGrant = UnverifiedContentStatement<ContentGrant>
/// A signed no as it arrived.
public typealias UnverifiedContentRefusal = UnverifiedContentStatement<ContentRefusal>
/// A signed time as it arrived.
public typealias UnverifiedContentTime = UnverifiedContentStatement<ContentTime>
