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
