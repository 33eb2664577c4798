/// Something that a license server says under its signature, in the Tenure dialect: a compact JWS of one `typ`.
///
/// A value of such a type was made here, or has been verified by ``UnverifiedStatement``.
public protocol TenureStatement: SignedStatement {
    /// What it is about, what it answers, and when.
    var envelope: StatementEnvelope { get }

    /// Reads what stands beside the envelope. Throws: `.badMember`.
    init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError)

    /// Writes what stands beside the envelope.
    func write(into object: inout JSONObjectWriter)
}

extension TenureStatement {
    /// The payload.
    public func json() -> [UInt8] {
        JSONWriter.object { object in
            envelope.write(into: &object)
            write(into: &object)
        }
    }
}

/// A statement as it arrived: well-formed, and nothing more. Only ``verify(_:trusting:)`` makes a statement of it.
public struct UnverifiedStatement<Statement: TenureStatement>: Sendable {
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

    /// The statement, when a trusted key signed it as one of its type and every binding holds.
    ///
    /// Throws: `.unknownKey`, `.badSignature`; `.malformed` and `.badMember` for a signed payload that does not read;
    /// `.otherProduct`, `.otherLicenseKey`, `.otherDevice`, `.otherActivation`, `.outdated`, `.otherRequest`,
    /// `.notYet`, `.lapsed` for a binding that does not hold.
    public func verify(_ bindings: StatementBindings, trusting keyset: TrustedKeys) throws(FormatError) -> Statement {
        let members = try document.members(of: Statement.self, trusting: keyset)
        let envelope = try StatementEnvelope(members)
        try bindings.check(envelope)
        return try Statement(envelope, members)
    }
}

/// A lease as it arrived.
public typealias UnverifiedTenureLease = UnverifiedStatement<TenureLease>
/// A signed no as it arrived.
public typealias UnverifiedTenureRefusal = UnverifiedStatement<TenureRefusal>
/// A trial as it arrived.
public typealias UnverifiedTenureTrial = UnverifiedStatement<TenureTrial>
/// A product's terms as they arrived.
public typealias UnverifiedTenureProductTerms = UnverifiedStatement<TenureProductTerms>
/// The answer to a release as it arrived.
public typealias UnverifiedTenureRelease = UnverifiedStatement<TenureRelease>
/// A keyset as it arrived. What is verified names keys; they count once ``TrustedKeys/adopt(_:)`` took them in.
public typealias UnverifiedTenureKeyset = UnverifiedStatement<TenureKeyset>

/// A list of devices as it arrived.
public typealias UnverifiedTenureDevices = UnverifiedStatement<TenureDevices>
