package import TenureCrypto

/// An Ed25519 public key of a JWK set (RFC 7517, RFC 8037).
package struct JWK: Sendable, Hashable {
    /// The key's id in headers; may be empty.
    package let kid: String
    /// The key that verifies statements with this `kid`.
    package let publicKey: Ed25519.PublicKey

    /// Reads a key of a JWK set; returns `nil` if it isn't an Ed25519 key.
    ///
    /// Throws: `.badMember` if the key has no `kid`, or if `x` isn't 32 bytes in base64url.
    package init?(_ member: FlatObject) throws(FormatError) {
        guard member.string("kty").value == "OKP", member.string("crv").value == "Ed25519" else { return nil }
        kid = try member.require("kid", member.string("kid"))
        let bytes = Base64.decodeURL(try member.require("x", member.string("x")))
        guard let bytes, let key = try? Ed25519.PublicKey(bytes: bytes) else {
            throw FormatError(.badMember, "an Ed25519 public key must be 32 bytes in base64url")
        }
        publicKey = key
    }
}
