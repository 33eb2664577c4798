package import TenureCore
import TenureCrypto

extension Digest {
    /// The SHA-256 digest of a text's UTF-8 bytes.
    package static func sha256(of text: String) -> Digest { sha256(of: Array(text.utf8)) }

    package static func sha256(of bytes: [UInt8]) -> Digest {
        guard let digest = Digest(SHA256.hash(bytes)) else {
            preconditionFailure("SHA-256 returned a digest that isn't 32 bytes long")
        }
        return digest
    }
}
