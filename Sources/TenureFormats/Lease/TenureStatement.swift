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
