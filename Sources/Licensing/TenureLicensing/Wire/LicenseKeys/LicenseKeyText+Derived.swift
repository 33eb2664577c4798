package import TenureCore
package import TenureCrypto

extension LicenseKeyText {
    /// Derives a license's key from a tenant's root: always the same key from the same values.
    ///
    /// It has the format of ``mint(prefix:using:)``, and its bits are HKDF-SHA256 (RFC 5869) of the root, which has 32
    /// random bytes. Throws ``CryptoError``.
    package static func derive(
        from root: [UInt8], prefix: LicenseKeyPrefix, license: LicenseID, generation: Int
    ) throws(CryptoError) -> LicenseKeyText {
        let bits = try HKDFSHA256.key(
            from: root, salt: [], purpose: Array("tenure license key|\(license)|\(generation)".utf8), length: 16)
        let words = [bits[..<8], bits[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return LicenseKeyText(prefix: prefix, many: words[0], few: words[1])
    }
}

extension LicenseKey {
    /// The prefix that the masked key shows; `nil` if it shows none.
    ///
    /// A product's prefix can change; a license's key keeps the prefix with which it was created.
    package var prefix: LicenseKeyPrefix? {
        masked.split(atByte: "-").first.flatMap { LicenseKeyPrefix(String($0)) }
    }
}
