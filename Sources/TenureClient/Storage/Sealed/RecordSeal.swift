package import TenureCore
import TenureCrypto

/// Seals records so that they open on one device and for one product only: AES-256-GCM under a key that HKDF derives from
/// what names the device, the product, and a salt that is new for each record.
///
/// What names a device is no secret to whoever can run programs on it. The seal shows damage, and keeps a record that was
/// copied elsewhere from being believed; it hides nothing from the device's owner (`Documentation/client-storage.md`).
package struct RecordSeal: Sendable, CustomStringConvertible {
    /// Bytes that sealing adds after the header.
    static let overhead = AES256GCM.overhead

    private let device: [UInt8]
    private let product: ProductRef

    /// Seals for a device, by the bytes that bind to it (``ThisDevice/binding``), and a product.
    package init(device: [UInt8], product: ProductRef) {
        self.device = device
        self.product = product
    }

    /// Names the kind of value and nothing of the device.
    package var description: String { "RecordSeal" }

    func seal(_ record: [UInt8]) throws(SealFault) -> [UInt8] {
        let salt = SecureRandom.bytes(SealHeader.saltLength)
        let header = try header(salt: salt).bytes
        do throws(CryptoError) {
            return header + (try AES256GCM(key: try key(salt)).seal(record, authenticating: header))
        } catch {
            throw .libraryFailed
        }
    }

    func open(_ sealed: [UInt8]) throws(SealFault) -> [UInt8] {
        let found = try SealHeader(reading: sealed)
        let expected = try header(salt: found.salt)
        guard constantTimeEquals(found.deviceCheck, expected.deviceCheck) else { throw .otherDevice }
        guard constantTimeEquals(found.productCheck, expected.productCheck) else { throw .otherProduct }
        let header = Array(sealed.prefix(SealHeader.length))
        do throws(CryptoError) {
            return try AES256GCM(key: try key(found.salt)).open(
                Array(sealed.dropFirst(header.count)), authenticating: header)
        } catch {
            throw error.code == .notOpened ? .damaged : .libraryFailed
        }
    }

    private func header(salt: [UInt8]) throws(SealFault) -> SealHeader {
        do throws(CryptoError) {
            return SealHeader(
                salt: salt, deviceCheck: try derive("device", salt, SealHeader.checkLength),
                productCheck: try derive("product|\(productName)", salt, SealHeader.checkLength))
        } catch {
            throw .libraryFailed
        }
    }

    private func key(_ salt: [UInt8]) throws(CryptoError) -> [UInt8] {
        try derive("key|\(productName)", salt, AES256GCM.keyLength)
    }

    private var productName: String { "\(product.tenant.text)|\(product.product.text)" }

    private func derive(_ purpose: String, _ salt: [UInt8], _ length: Int) throws(CryptoError) -> [UInt8] {
        try HKDFSHA256.key(
            from: device, salt: salt, purpose: Array("tenure-sealed-record-v1|\(purpose)".utf8), length: length)
    }
}

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

/// Why a sealed record does not open.
enum SealFault: Error, Equatable {
    /// Its bytes were changed or cut, or never were a sealed record.
    case damaged
    /// It was sealed by a program that writes another version.
    case otherVersion(UInt8)
    /// It was sealed on another device.
    case otherDevice
    /// It was sealed on this device, for another product.
    case otherProduct
    /// The cryptographic library failed.
    case libraryFailed
}
