package import TenureCrypto
import TenureFormats

/// Reads the signing keys that an app was built with.
package enum BuiltInKeys {
    /// Why they cannot be used: what went wrong and what to do about it.
    package struct Unusable: Error, Sendable, Hashable {
        /// For whoever builds the app.
        package let message: String
    }

    /// The keys by `kid`, from base64. Without any, served ones have to be believed.
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
