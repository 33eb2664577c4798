/// Names a device to one product without telling which device it is: a SHA-256 that the client makes, salted with
/// tenant and product.
///
/// A server compares it and never learns what went into it.
public struct DeviceHash: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let text: String

    /// Takes a presented hash; refuses anything but 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 64, digits else { return nil }
        self.text = text
    }

    /// The 64 digits.
    public var description: String { text }
}
