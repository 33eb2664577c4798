package import TenureCrypto
import TenureFormats

/// Decodes the signing keys that an app was built with.
package enum BuiltInKeys {
    /// Why the keys can't be used.
    package struct Unusable: Error, Sendable, Hashable {
        /// What went wrong and what to do about it, for the app's developer.
        package let message: String
    }

    /// Decodes keys from base64, by `kid`.
    ///
    /// - Throws: ``Unusable`` if a key is invalid, or if `texts` is empty and served keys aren't trusted.
    package static func read(
        _ texts: [String: String], trust: KeyTrust
    ) throws(Unusable) -> [String: Ed25519.PublicKey] {
        var keys: [String: Ed25519.PublicKey] = [:]
        for (kid, text) in texts {
            guard let bytes = Base64.decodeLenient(text), let key = try? Ed25519.PublicKey(bytes: bytes) else {
                throw Unusable(message: "The signing key \(kid) is not 32 bytes in base64.")
            }
            keys[kid] = key
        }
        guard !keys.isEmpty || trust == .served else {
            throw Unusable(message: "Build in the vendor's signing keys, or believe served ones (keyTrust).")
        }
        return keys
    }
}
