public import TenureCore
import TenureCrypto
import TenureFormats

/// A hash that identifies a device to one product without revealing which device it is (Keylight's `machine_hash`).
public struct MachineHash: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let text: String

    /// Accepts a hash that was received; returns `nil` unless it is 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 64, digits else { return nil }
        self.text = text
    }

    /// Hashes a hardware id for a product.
    ///
    /// The hash is the SHA-256 of `keylight-keyless-machine-v1|tenant|product|hardware id` (Keylight's documentation).
    public init(hardwareID: String, product: ProductRef) {
        let input = "keylight-keyless-machine-v1|\(product.tenant.text)|\(product.product.text)|\(hardwareID)"
        text = Hex.encode(SHA256.hash(Array(input.utf8)))
    }

    /// The same as ``text``.
    public var description: String { text }
}
