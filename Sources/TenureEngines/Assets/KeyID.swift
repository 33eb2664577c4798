import TenureCrypto
import TenureFormats

/// How a key is named in URLs, logs and files.
enum KeyID {
    /// The first 8 bytes of the SHA-256 of a certificate's (or, without one, a public key's) DER, in lower-case hexadecimal.
    static func of(_ der: [UInt8]) -> String {
        Hex.encode(Array(SHA256.hash(der).prefix(8)))
    }
}
