import TenureCrypto

/// What stands before the ciphertext of a sealed record: readable by anybody, and part of what is authenticated.
///
/// 88 bytes: `TNRSEAL`, the version (1), 32 bytes of salt, 16 each that say for which device and for which product it was
/// sealed, and the first 16 bytes of the SHA-256 of all that, so that damage is not taken for another device's record.
struct SealHeader: Sendable, Equatable {
    static let length = 88
    static let saltLength = 32
    static let checkLength = 16

    let salt: [UInt8]
    /// A value that only the device it was sealed on can derive from the salt.
    let deviceCheck: [UInt8]
    /// The same for device and product together.
    let productCheck: [UInt8]

    private static let version: UInt8 = 1
    private static let name = Array("TNRSEAL".utf8)

    init(salt: [UInt8], deviceCheck: [UInt8], productCheck: [UInt8]) {
        self.salt = salt
        self.deviceCheck = deviceCheck
        self.productCheck = productCheck
    }

    /// Reads the header that a sealed record begins with.
    init(reading sealed: [UInt8]) throws(SealFault) {
        guard sealed.count >= Self.length, sealed.starts(with: Self.name) else { throw .damaged }
        let said = Array(sealed[..<(Self.length - Self.checkLength)])
        guard Self.digest(of: said) == Array(sealed[said.count..<Self.length]) else { throw .damaged }
        let version = said[Self.name.count]
        guard version == Self.version else { throw .otherVersion(version) }
        var rest = said[(Self.name.count + 1)...]
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        salt = take(Self.saltLength)
        deviceCheck = take(Self.checkLength)
        productCheck = take(Self.checkLength)
    }

    var bytes: [UInt8] {
        let said = Self.name + [Self.version] + salt + deviceCheck + productCheck
        return said + Self.digest(of: said)
    }

    private static func digest(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(bytes).prefix(checkLength)) }
}
