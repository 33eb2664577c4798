public import TenureCrypto

/// Something that a license server says under its signature, in the Tenure dialect: a compact JWS of one `typ`.
///
/// A value of such a type was made here, or has been verified by ``UnverifiedStatement``.
public protocol TenureStatement: Sendable, Hashable {
    /// The header's `typ`; a statement of another one is never taken for this.
    static var type: String { get }

    /// What it is about, what it answers, and when.
    var envelope: StatementEnvelope { get }

    /// Reads what stands beside the envelope. Throws: `.badMember`.
    init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError)

    /// Writes what stands beside the envelope.
    func write(into object: inout JSONObjectWriter)
}

extension TenureStatement {
    /// The statement as a compact JWS: `alg` EdDSA, `typ`, `kid` (RFC 7515, RFC 8037).
    public func signed(kid: String, with key: Ed25519.PrivateKey) -> [UInt8] {
        let input = JWSSigningInput(algorithm: .edDSA, type: Self.type, payload: json()) { header in
            header.member("kid", kid)
        }
        return input.compact(signature: key.sign(input.bytes))
    }

    func json() -> [UInt8] {
        JSONWriter.object { object in
            envelope.write(into: &object)
            write(into: &object)
        }
    }
}

/// A statement as it arrived: well-formed, and nothing more. Only ``verify(_:trusting:)`` makes a statement of it.
public struct UnverifiedStatement<Statement: TenureStatement>: Sendable {
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

    /// The statement, when a trusted key signed it as one of its type and every binding holds.
    ///
    /// Throws: `.unknownKey`, `.badSignature`; `.malformed` and `.badMember` for a signed payload that does not read;
    /// `.otherProduct`, `.otherLicenseKey`, `.otherDevice`, `.otherActivation`, `.outdated`, `.otherRequest`,
    /// `.notYet`, `.lapsed` for a binding that does not hold.
    public func verify(_ bindings: StatementBindings, trusting keyset: TrustedKeys) throws(FormatError) -> Statement {
        let key = try keyset.key(of: document)
        let payload = try document.payload(ofType: Statement.type, signedBy: .edDSA(key))
        let members = try FlatObject(document: payload, named: "statement")
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
