public import TenureCore
import TenureCrypto

/// A license key in its normal form, whatever its shape: what a person typed, without white space, in upper case.
///
/// The normal form drops ASCII white space and raises ASCII letters, over bytes, and does nothing else: letters beyond
/// ASCII stay as they came, since their upper case is a matter of language and version (design §6). It is a secret;
/// it prints as its masked form.
public struct LicenseKeyText: Sendable, Hashable, CustomStringConvertible {
    /// The bytes of the normal form; never empty.
    public let bytes: [UInt8]

    /// Puts a text into normal form; refuses one that holds nothing but white space.
    public init?(_ typed: String) {
        let bytes = typed.utf8.compactMap(Self.normalized)
        guard !bytes.isEmpty else { return nil }
        self.init(normal: bytes)
    }

    /// The normal form as text. Show it once, at issue, and never log it.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// SHA-256 of the normal form: what is stored and looked up, and in hexadecimal a lease's `licenseKeyHash`.
    public var digest: Digest {
        guard let digest = Digest(SHA256.hash(bytes)) else { preconditionFailure("SHA-256 has 32 bytes") }
        return digest
    }

    /// What a store keeps of the key: its digest, and its masked form under the product's prefix.
    public func kept(under prefix: LicenseKeyPrefix?) -> LicenseKey {
        LicenseKey(hash: digest, masked: masked(showing: prefix))
    }

    /// The masked form, without any prefix.
    public var description: String { masked(showing: nil) }

    init(normal bytes: [UInt8]) {
        self.bytes = bytes
    }

    private static func normalized(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x20, 0x09...0x0D: nil
        case 0x61...0x7A: byte - 0x20
        default: byte
        }
    }
}
