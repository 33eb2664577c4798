public import TenureCore
public import TenureFormats

/// A signed statement of a content server: a compact JWS with its own `typ`.
///
/// Its payload begins with `v` and `tenant`. It has neither `exp` nor `nbf`: a JWT library would enforce them and
/// reject statements that must be kept longer.
public protocol ContentStatement: SignedStatement {
    /// The tenant that owns the content, or whose server signed the time.
    var tenant: TenantID { get }

    /// Reads the members that follow `v` and `tenant` in a signed payload.
    ///
    /// - Throws: `.badMember`.
    init(_ tenant: TenantID, _ members: FlatObject) throws(FormatError)

    /// Writes the members that follow `v` and `tenant` in the payload.
    func write(into object: inout JSONObjectWriter)
}

extension ContentStatement {
    /// The payload to sign, as a JSON object.
    public func json() -> [UInt8] {
        JSONWriter.object { object in
            object.member("v", 1)
            object.member("tenant", tenant.text)
            write(into: &object)
        }
    }
}

/// A statement about content as received: well-formed, but not verified.
public struct UnverifiedContentStatement<Statement: ContentStatement>: Sendable {
    /// The longest statement that is accepted, in bytes: 64 KiB.
    public static var longest: Int { UnverifiedJWS.longestStatement }

    /// The bytes as received, for storage.
    public let compact: [UInt8]

    private let document: UnverifiedJWS

    /// Reads a compact JWS.
    ///
    /// - Throws: `.malformed`.
    public init(compact bytes: [UInt8]) throws(FormatError) {
        document = try UnverifiedJWS(statement: bytes)
        compact = bytes
    }

    /// Returns the statement, provided that a trusted key signed it with its type and it belongs to this tenant.
    ///
    /// The caller compares everything else, such as license, device or nonce.
    ///
    /// - Throws: `.unknownKey` or `.badSignature` if no trusted key signed it. `.malformed` or `.badMember` if the
    ///   signed payload can't be read. `.otherProduct` if it belongs to another tenant.
    public func verify(of tenant: TenantID, trusting keyset: TrustedKeys) throws(FormatError) -> Statement {
        let members = try document.members(of: Statement.self, trusting: keyset)
        guard try members.require("v", members.integer("v")) == 1 else {
            throw FormatError(.badMember, "the version of a statement must be 1; a newer client may support others")
        }
        guard try members.read("tenant", { TenantID($0) }) == tenant else {
            throw FormatError(.otherProduct, "the statement was issued for another tenant's content")
        }
        return try Statement(tenant, members)
    }
}

/// A grant as received; its limits can be read only after verification.
public typealias UnverifiedContentGrant = UnverifiedContentStatement<ContentGrant>
/// A signed refusal as received; it must be verified before the device acts on it.
public typealias UnverifiedContentRefusal = UnverifiedContentStatement<ContentRefusal>
/// A signed time as received; it must be verified before the device trusts it.
public typealias UnverifiedContentTime = UnverifiedContentStatement<ContentTime>
