/// The operating system of a device, such as macOS 15.1, by which people recognize the device.
///
/// The device reports it, and no decision depends on it.
public struct DeviceSystem: Sendable, Hashable {
    /// The system's name, such as `macOS`.
    public let name: String
    /// The system's version, such as `15.1`; `nil` if the device reported none that ``init(name:version:)`` accepts.
    public let version: String?

    /// The greatest length of a name or a version, in ASCII characters.
    public static let longest = 64

    /// Creates a system from what a device reported; `nil` without a usable name.
    ///
    /// A usable text has 1 to 64 printable ASCII characters and no space at either end. Other texts count as absent, so
    /// an unusual system never keeps a device from being activated. ASCII excludes characters that look alike or change
    /// the direction of a line.
    public init?(name: String?, version: String?) {
        guard let name, Self.isUsable(name) else { return nil }
        self.name = name
        self.version = version.flatMap { Self.isUsable($0) ? $0 : nil }
    }

    /// The name and, if known, the version, for people.
    public var text: String { version.map { "\(name) \($0)" } ?? name }

    private static func isUsable(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...longest).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
            && bytes.first != 0x20 && bytes.last != 0x20
    }
}
