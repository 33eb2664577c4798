import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFormats

/// A PEM file with the public half of a distribution key.
///
/// `openssl ec -pubout` and `tenure marketplace show` write it.
enum DistributionKeyFile {
    /// Reads the key; throws ``CommandError``.
    static func read(_ path: String) throws -> P256.PublicKey {
        let wrong = CommandError(
            "\(path) contains no P-256 public key in PEM. Run `openssl ec -in KEY -pubout` to get one from a private key."
        )
        let text = (try? CallersFile.text(of: path)) ?? nil
        guard let lines = text?.lines.filter({ !$0.isEmpty }), lines.first == "-----BEGIN PUBLIC KEY-----",
            let end = lines.firstIndex(where: { $0 == "-----END PUBLIC KEY-----" }),
            let der = Base64.decode(lines[1..<end].joined()), let key = try? P256.PublicKey(der: der)
        else { throw wrong }
        return key
    }
}
