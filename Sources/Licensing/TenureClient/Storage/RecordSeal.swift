package import TenureCore
import TenureCrypto
import TenureFormats

/// Encrypts records so that they can be decrypted only on one device and for one product.
///
/// The cipher is AES-256-GCM. HKDF derives the key from the device's identity, the product, and a salt that is new for
/// each record.
///
/// A device's identity is available to any program that runs on it. So the encryption detects damage and records that
/// were copied from another device, but hides nothing from the device's owner (`Documentation/client-storage.md`).
package struct RecordSeal: Sendable, CustomStringConvertible {
    /// The number of bytes that encryption adds, not counting the header.
    static let overhead = AES256GCM.overhead

    private let device: [UInt8]
    private let product: ProductRef

    /// Creates a seal from a device's ``ThisDevice/binding`` for the record of one product.
    package init(device: [UInt8], product: ProductRef) {
        self.device = device
        self.product = product
    }

    /// The beginning of the names of the product's records: `license-` and 16 hexadecimal digits.
    var filePrefix: String { "license-\(Self.digest("product|\(productName)", 8))" }

    /// The name of this device's record of the product: the prefix, a dash and 32 hexadecimal digits.
    var fileName: String { "\(filePrefix)-\(Self.digest("device|\(Hex.encode(device))", 16))" }

    /// The type's name, without any secret.
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

    private static func digest(_ text: String, _ length: Int) -> String {
        Hex.encode(Array(SHA256.hash(Array("tenure-record-file-v1|\(text)".utf8)).prefix(length)))
    }

    private func derive(_ purpose: String, _ salt: [UInt8], _ length: Int) throws(CryptoError) -> [UInt8] {
        try HKDFSHA256.key(
            from: device, salt: salt, purpose: Array("tenure-sealed-record-v1|\(purpose)".utf8), length: length)
    }
}

/// The header of an encrypted record: not encrypted, but authenticated.
///
/// It has 88 bytes:
///
/// - `TNRSEAL` and the version (1)
/// - 32 bytes of salt
/// - 16 bytes that identify the device
/// - 16 bytes that identify the product
/// - the first 16 bytes of the SHA-256 of the bytes above, to distinguish damage from a record of another device
struct SealHeader: Sendable, Equatable {
    static let length = 88
    static let saltLength = 32
    static let checkLength = 16

    let salt: [UInt8]
    /// A value that only the device that wrote the record can derive from the salt.
    let deviceCheck: [UInt8]
    /// A value that only the device that wrote the record can derive from the salt and the product.
    let productCheck: [UInt8]

    private static let version: UInt8 = 1
    private static let name = Array("TNRSEAL".utf8)

    init(salt: [UInt8], deviceCheck: [UInt8], productCheck: [UInt8]) {
        self.salt = salt
        self.deviceCheck = deviceCheck
        self.productCheck = productCheck
    }

    /// Parses the header at the start of an encrypted record.
    init(reading sealed: [UInt8]) throws(SealFault) {
        guard sealed.count >= Self.length, sealed.starts(with: Self.name) else { throw .damaged }
        let header = Array(sealed[..<(Self.length - Self.checkLength)])
        guard Self.digest(of: header) == Array(sealed[header.count..<Self.length]) else { throw .damaged }
        let version = header[Self.name.count]
        guard version == Self.version else { throw .otherVersion(version) }
        var rest = header[(Self.name.count + 1)...]
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        salt = take(Self.saltLength)
        deviceCheck = take(Self.checkLength)
        productCheck = take(Self.checkLength)
    }

    var bytes: [UInt8] {
        let header = Self.name + [Self.version] + salt + deviceCheck + productCheck
        return header + Self.digest(of: header)
    }

    private static func digest(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(bytes).prefix(checkLength)) }
}

/// Why an encrypted record can't be decrypted.
enum SealFault: Error, Equatable {
    /// The record's bytes were modified or truncated, or never were an encrypted record.
    case damaged
    /// The record has another version of the format; the value is that version.
    case otherVersion(UInt8)
    /// The record was encrypted on another device.
    case otherDevice
    /// The record was encrypted on this device for another product.
    case otherProduct
    case libraryFailed
}
