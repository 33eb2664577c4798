package import TenureCore
import TenureCrypto
import TenureFormats

/// What this device is recognized by. The identifier itself never leaves this value; only hashes of it do.
package struct ThisDevice: Sendable, CustomStringConvertible {
    /// Where the identifier comes from. None of them is made up here: a device that cannot be recognized is an error.
    package enum Source: String, Sendable, Hashable, Codable, CaseIterable {
        /// The app named it, as it must in containers and on build machines.
        case explicit
        /// `/etc/machine-id`, or what D-Bus keeps in its place: one per installation of Linux.
        case machineID
        /// `IOPlatformUUID`: one per Mac, whatever is installed on it.
        case platformUUID
        /// `identifierForVendor`: one per iPhone or iPad and vendor, until the last app of that vendor is removed.
        case vendorID
    }

    /// Where the identifier comes from.
    package let source: Source
    private let identifier: String

    init(_ identifier: String, source: Source) {
        self.identifier = identifier
        self.source = source
    }

    /// Recognizes the device by an identifier that the app chose: for containers and build machines, where the system has
    /// none or many share one.
    ///
    /// It must stay the same for as long as the activation shall be the same, and differ between installations: the
    /// name of a volume or a stateful replica does, a container's id does not. Spaces at its ends do not count.
    ///
    /// Throws ``DeviceIDError``: `.unusable`, when it is shorter than 8 bytes, longer than 256, or has control characters.
    package init(explicit identifier: String) throws(DeviceIDError) {
        let text = identifier.trimmed
        guard (8...256).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else {
            throw DeviceIDError(
                .unusable,
                "A device's identifier has 8 to 256 bytes and no control characters; choose one that stays the same for "
                    + "this installation and differs from all others.")
        }
        self.init(text, source: .explicit)
    }

    /// What this device is called for a product, over either dialect: so that an app which changes the dialect, or comes
    /// from Keylight's own client, keeps its place. A product of the same vendor gets another name.
    ///
    /// It is Keylight's `machine_hash` (`spec/keylight.md` §1.3).
    package func id(for product: ProductRef) -> DeviceID {
        DeviceID(text: MachineHash(hardwareID: identifier, product: product).text, source: source)
    }

    /// What this device is called among a tenant's content: it has no product, so no product's name says which it is.
    package func contentDevice(of tenant: TenantID) -> Digest {
        guard let digest = Digest(SHA256.hash(Array("tenure-device-v1|content|\(tenant.text)|\(identifier)".utf8)))
        else { preconditionFailure("a SHA-256 has 32 bytes") }
        return digest
    }

    /// 32 bytes that stay on the device: what its record is sealed with.
    package var binding: [UInt8] {
        // What may stand in an identifier stands last.
        SHA256.hash(Array("tenure-device-v1|binding|\(identifier)".utf8))
    }

    /// Tells the source, and nothing of the identifier.
    package var description: String { "ThisDevice(\(source.rawValue))" }
}

extension String {
    /// Without ASCII white space at its ends.
    fileprivate var trimmed: String {
        // On bytes: asking the Unicode tables would take longer than the rest of a launch.
        let isInk = { (byte: UInt8) in byte > 0x20 }
        guard let first = utf8.firstIndex(where: isInk), let last = utf8.lastIndex(where: isInk) else { return "" }
        return String(self[first...last])
    }
}

/// Names this device to one product, without telling which device it is: a hash, salted with tenant and product.
package struct DeviceID: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package let text: String
    /// What the device was recognized by.
    package let source: ThisDevice.Source

    /// The 64 digits.
    package var description: String { text }
}

/// Why this device cannot be recognized.
package struct DeviceIDError: Error, Sendable, Hashable {
    package enum Code: String, Sendable, Hashable {
        /// The system has no identifier for it.
        case absent
        /// What the system has is shared by many: an image's, or a well-known one.
        case shared
        /// It is there and cannot be read.
        case unreadable
        /// The identifier that the app chose, or what the system has, cannot be one.
        case unusable
    }

    /// The kind; programs branch on this.
    package let code: Code
    /// What went wrong and what to do about it; the identifier is not in it.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
