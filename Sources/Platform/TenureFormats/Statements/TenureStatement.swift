/// A signed statement of a license server in the Tenure dialect: a compact JWS with its own `typ`.
///
/// A value of a conforming type was created here or has been verified by ``UnverifiedStatement``.
public protocol TenureStatement: SignedStatement {
    /// The product, the request, the time and the other members that all statements have.
    var envelope: StatementEnvelope { get }

    /// Reads the members that follow the envelope.
    ///
    /// Throws: `.badMember` if a member is missing or invalid.
    init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError)

    /// Writes the members that follow the envelope.
    func write(into object: inout JSONObjectWriter)
}

extension TenureStatement {
    /// The payload to sign: a JSON object with the envelope's members first.
    public func json() -> [UInt8] {
        JSONWriter.object(room: 1_024) { object in
            envelope.write(into: &object)
            write(into: &object)
        }
    }
}

/// A statement as received: well-formed, but not verified.
///
/// Only ``verify(_:trusting:)`` turns it into a statement.
public struct UnverifiedStatement<Statement: TenureStatement>: Sendable {
    /// The longest statement that is accepted, in bytes: 64 KiB.
    public static var longest: Int { UnverifiedJWS.longestStatement }

    /// The bytes as received, for storage.
    public let compact: [UInt8]

    private let document: UnverifiedJWS

    /// Parses a compact JWS without verifying it.
    ///
    /// Throws: `.malformed` if it isn't a JWS or is over 64 KiB.
    public init(compact bytes: [UInt8]) throws(FormatError) {
        document = try UnverifiedJWS(statement: bytes)
        compact = bytes
    }

    /// The statement, if a trusted key signed it with its type and every binding matches.
    ///
    /// Throws:
    ///
    /// - `.unknownKey`, `.badSignature`;
    /// - `.malformed` and `.badMember` if the header has no `kid` or the signed payload can't be read;
    /// - `.otherProduct`, `.otherLicenseKey`, `.otherDevice`, `.otherActivation`, `.outdated`, `.otherRequest`,
    ///   `.notYet` or `.lapsed` if a binding doesn't match.
    public func verify(_ bindings: StatementBindings, trusting keyset: TrustedKeys) throws(FormatError) -> Statement {
        let members = try document.members(of: Statement.self, trusting: keyset)
        let envelope = try StatementEnvelope(members)
        try bindings.check(envelope)
        return try Statement(envelope, members)
    }
}

/// A signed refusal as received, not verified.
public typealias UnverifiedTenureRefusal = UnverifiedStatement<TenureRefusal>
/// A keyset as received, not verified; after verification, ``TrustedKeys/adopt(_:)`` makes its keys trusted.
public typealias UnverifiedTenureKeyset = UnverifiedStatement<TenureKeyset>
