package import TenureCrypto

/// A signing key as a JWK set tells it (RFC 7517, RFC 8037).
package struct JWK: Sendable, Hashable {
    /// Its name in statements; may be empty.
    package let kid: String
    /// Verifies the statements that name the `kid`.
    package let publicKey: Ed25519.PublicKey

    /// Reads a member of a set; nil for a key of another kind than Ed25519.
    ///
    /// Throws: `.badMember`.
    package init?(_ member: FlatObject) throws(FormatError) {
        guard member.string("kty").value == "OKP", member.string("crv").value == "Ed25519" else { return nil }
        kid = try member.require("kid", member.string("kid"))
        let bytes = Base64.decodeURL(try member.require("x", member.string("x")))
        guard let bytes, let key = try? Ed25519.PublicKey(bytes: bytes) else {
            throw FormatError(.badMember, "an Ed25519 public key is 32 bytes in base64url")
        }
        publicKey = key
    }
}
