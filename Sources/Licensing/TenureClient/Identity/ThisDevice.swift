package import TenureCore
import TenureCrypto
import TenureLicensing

/// The identity of this device; it exposes only hashes of the identifier.
package struct ThisDevice: Sendable, CustomStringConvertible {
    /// Where a device's identifier comes from.
    ///
    /// The client never generates an identifier: a device that can't be identified is an error.
    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// The app chose the identifier, as it must in containers and on build machines.
        case explicit
        /// `/etc/machine-id` or D-Bus's file: one per installation of Linux.
        case machineID
        /// `IOPlatformUUID`: one per Mac, independent of its installation.
        case platformUUID
        /// `identifierForVendor`: one per device and vendor, until the vendor's last app is removed.
        case vendorID
    }

    /// The identifier's origin, which is safe to log.
    package let source: Source
    private let identifier: String

    init(_ identifier: String, source: Source) {
        self.identifier = identifier
        self.source = source
    }

    /// Identifies the device by an identifier that the app chose.
    ///
    /// Use it in containers and on build machines, where the system has no identifier or many share one. It must stay
    /// the same for as long as the activation should last, and differ between installations. The name of a volume or of
    /// a stateful replica is suitable; a container's id isn't. Surrounding white space is removed.
    ///
    /// - Throws: ``DeviceIDError``: `.unusable` if it is shorter than 8 bytes, longer than 256, or contains control
    ///   characters.
    package init(explicit identifier: String) throws(DeviceIDError) {
        let text = identifier.withoutBlanks
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

    /// This device's id for a product, the same over both dialects.
    ///
    /// An app that changes the dialect, or that used Keylight's own client before, thus keeps its activation. Each
    /// product of a vendor sees a different id. It is Keylight's `machine_hash` (`Documentation/keylight.md`).
    package func id(for product: ProductRef) -> DeviceID {
        DeviceID(text: MachineHash(hardwareID: identifier, product: product).text, source: source)
    }

    /// This device's id for a tenant's content.
    ///
    /// It isn't tied to a product, so it can't be matched with the ids for products.
    package func contentDevice(of tenant: TenantID) -> Digest {
        guard let digest = Digest(SHA256.hash(Array("tenure-device-v1|content|\(tenant.text)|\(identifier)".utf8)))
        else { preconditionFailure("a SHA-256 has 32 bytes") }
        return digest
    }

    /// 32 bytes for sealing this device's record; they never leave the device.
    package var binding: [UInt8] {
        // The identifier may contain any character, so it comes last.
        SHA256.hash(Array("tenure-device-v1|binding|\(identifier)".utf8))
    }

    /// The type and the source, without the identifier.
    package var description: String { "ThisDevice(\(source.rawValue))" }
}

extension String {
    /// The text without surrounding ASCII white space.
    fileprivate var withoutBlanks: String {
        // Compare bytes: loading the Unicode tables would take longer than the rest of a launch.
        let isInk = { (byte: UInt8) in byte > 0x20 }
        guard let first = utf8.firstIndex(where: isInk), let last = utf8.lastIndex(where: isInk) else { return "" }
        return String(self[first...last])
    }
}

/// Identifies this device to one product without revealing the device: a hash salted with tenant and product.
package struct DeviceID: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package let text: String
    /// The kind of identifier that the hash was made from.
    package let source: ThisDevice.Source

    package var description: String { text }
}

/// Why this device can't be identified.
package struct DeviceIDError: Error, Sendable, Hashable {
    package enum Code: String, Sendable, Hashable {
        /// The system has no identifier for the device.
        case absent
        /// Many systems share the system's identifier, for example because they were made from one image.
        case shared
        /// The identifier exists but can't be read.
        case unreadable
        /// The identifier has an invalid format; the message says which format is expected.
        case unusable
    }

    /// The kind of error, for programs to branch on.
    package let code: Code
    /// What went wrong and what to do about it; it doesn't contain the identifier.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
