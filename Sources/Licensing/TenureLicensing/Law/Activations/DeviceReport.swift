import TenureCore

/// A device's name and operating system as it reports them, by which people recognize it.
///
/// No decision depends on it, and a text that can't be used never keeps a device from being activated.
public struct DeviceReport: Sendable, Hashable {
    /// The device's display name; `nil` if it reported none.
    public var name: String?
    /// The device's operating system; `nil` if it reported none.
    public var system: DeviceSystem?

    /// The greatest length of a name, in bytes.
    public static let longestName = 256
    /// The name of a device that has reported none.
    public static let noName = "Unnamed device"

    /// Creates a report; a name that is too long is cut, and a blank one counts as none.
    ///
    /// Control characters become spaces, so that a name never breaks a line.
    public init(name: String?, system: DeviceSystem? = nil) {
        self.name = name.flatMap { Self.isBlank($0) ? nil : Self.onOneLine($0).cut(toBytes: Self.longestName) }
        self.system = system
    }

    /// The report, with values that are missing in it taken from the earlier report.
    public func adding(_ earlier: DeviceReport) -> DeviceReport {
        DeviceReport(name: name ?? earlier.name, system: system ?? earlier.system)
    }

    private static func onOneLine(_ text: String) -> String {
        let breaks: [Unicode.GeneralCategory] = [.control, .lineSeparator, .paragraphSeparator]
        guard text.unicodeScalars.contains(where: { breaks.contains($0.properties.generalCategory) }) else {
            return text
        }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { breaks.contains($0.properties.generalCategory) ? " " : $0 }))
    }

    private static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || [.control, .format].contains(scalar.properties.generalCategory)
        }
    }
}
