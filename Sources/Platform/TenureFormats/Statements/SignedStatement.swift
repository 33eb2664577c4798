public import TenureCrypto

/// A signed statement of a server: a compact JWS with its own `typ`.
public protocol SignedStatement: Sendable, Hashable {
    /// The header's `typ`; a document with another `typ` is never accepted as this statement.
    static var type: String { get }

    /// The payload to sign, as a JSON object.
    func json() -> [UInt8]
}

extension SignedStatement {
    /// The statement as a compact JWS with `alg` EdDSA, `typ` and `kid` (RFC 7515, RFC 8037).
    public func signed(kid: String, with key: Ed25519.PrivateKey) -> [UInt8] {
        JWSSigningInput(algorithm: .edDSA, type: Self.type, payload: json()) { $0.member("kid", kid) }
            .signed { key.sign($0) }
    }
}

extension UnverifiedJWS {
    /// The longest statement that is accepted, in bytes: 64 KiB.
    package static var longestStatement: Int { 1 << 16 }

    /// Parses a received statement without verifying it.
    ///
    /// Throws: `.malformed` if it isn't a JWS or is over 64 KiB.
    package init(statement bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.longestStatement else {
            throw FormatError(.malformed, "a statement must be at most \(Self.longestStatement) bytes long")
        }
        try self.init(compact: bytes)
    }

    /// The members of the payload, if a trusted key signed it as a statement of this type.
    ///
    /// Throws: `.unknownKey`, `.badSignature`; `.badMember` if the header has no `kid`; `.malformed` if the payload
    /// isn't a JSON object.
    package func members<Statement: SignedStatement>(
        of statement: Statement.Type, trusting keyset: TrustedKeys
    ) throws(FormatError) -> FlatObject {
        let key = try keyset.key(of: self)
        let payload = try payload(ofType: Statement.type, signedBy: .edDSA(key))
        return try FlatObject(document: payload, named: "statement")
    }
}
