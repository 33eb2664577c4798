public import TenureCore

/// Something that a server of content says under its signature: a compact JWS of one `typ`.
///
/// Its payload begins with `v` and `tenant`. It has neither `exp` nor `nbf`, for a library that knows those would refuse
/// what is to be kept for longer.
public protocol ContentStatement: SignedStatement {
    /// Whose content it is about.
    var tenant: TenantID { get }

    /// Reads what stands behind `v` and `tenant`. Throws: `.badMember`.
    init(_ tenant: TenantID, _ members: FlatObject) throws(FormatError)

    /// Writes what stands behind `v` and `tenant`.
    func write(into object: inout JSONObjectWriter)
}

extension ContentStatement {
    /// The payload.
    public func json() -> [UInt8] {
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
    public static var longest: Int { UnverifiedJWS.longestStatement }

    /// The bytes, to keep.
    public let compact: [UInt8]

    private let document: UnverifiedJWS

    /// Reads a compact JWS.
    ///
    /// Throws: `.malformed`.
    public init(compact bytes: [UInt8]) throws(FormatError) {
        document = try UnverifiedJWS(statement: bytes)
        compact = bytes
    }

    /// The statement, when a trusted key signed it as one of its type about this tenant's content.
    ///
    /// What else it has to be about, its license, device or nonce, is the caller's to compare.
    ///
    /// Throws: `.unknownKey`, `.badSignature`; `.malformed` and `.badMember` for a signed payload that does not read;
    /// `.otherProduct` for another tenant's.
    public func verify(of tenant: TenantID, trusting keyset: TrustedKeys) throws(FormatError) -> Statement {
        let members = try document.members(of: Statement.self, trusting: keyset)
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
