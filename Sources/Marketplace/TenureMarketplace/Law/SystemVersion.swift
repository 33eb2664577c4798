import TenureCore

/// The version of a device's system, such as `17.4`.
///
/// A version has up to four numbers, which are compared from left to right; a missing number counts as 0.
public struct SystemVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let parts: [Int]

    /// Parses one to four numbers separated by periods; returns `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        let texts = String(text).split(atByte: ".", omittingEmptySubsequences: false)
        var parts: [Int] = []
        for text in texts {
            guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(text)
            else { return nil }
            parts.append(number)
        }
        guard (1...4).contains(parts.count) else { return nil }
        while parts.count > 1, parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }

    /// The version's text, without trailing zeros: `17.0` becomes `17`.
    public var description: String { parts.map(String.init).joined(separator: ".") }

    /// Compares the versions number by number.
    public static func < (one: SystemVersion, other: SystemVersion) -> Bool {
        one.parts.lexicographicallyPrecedes(other.parts)
    }
}

/// The kinds of devices that marketplaces offer apps to.
public enum ApplePlatform: String, Sendable, Hashable, CaseIterable {
    case iOS, iPadOS

    /// Returns the platform of a device model, such as `iPad16,3-A`; `nil` for other kinds of devices.
    public init?(model: String) {
        if model.hasPrefix("iPhone") || model.hasPrefix("iPod") {
            self = .iOS
        } else if model.hasPrefix("iPad") {
            self = .iPadOS
        } else {
            return nil
        }
    }
}

/// The platform and system version that a device reports, which decide which versions of an app it can install.
public struct AppleSystem: Sendable, Hashable {
    /// The kind of device, which the system version belongs to.
    public let platform: ApplePlatform
    /// The version of the device's system.
    public let version: SystemVersion

    /// Creates a value from its parts.
    public init(platform: ApplePlatform, version: SystemVersion) {
        self.platform = platform
        self.version = version
    }
}

extension AppVersion {
    /// Whether this version is newer than another one of the same app.
    ///
    /// The short version is compared first, then the bundle version, then Apple's id.
    public func isNewer(than other: AppVersion) -> Bool {
        let (short, build) = (Self.parts(shortVersion), Self.parts(bundleVersion))
        let (otherShort, otherBuild) = (Self.parts(other.shortVersion), Self.parts(other.bundleVersion))
        if short != otherShort { return otherShort.lexicographicallyPrecedes(short) }
        if build != otherBuild { return otherBuild.lexicographicallyPrecedes(build) }
        return id > other.id
    }

    /// A part of a version between two periods; numbers sort before texts.
    private enum Part: Hashable, Comparable {
        case number(UInt64)
        case text(String)
    }

    /// Splits a version at its periods and drops trailing zeros, so that `1.0` equals `1`.
    private static func parts(_ version: String) -> [Part] {
        var parts = version.split(atByte: ".", omittingEmptySubsequences: false).map { text in
            UInt64(text).map(Part.number) ?? .text(String(text))
        }
        while parts.count > 1, parts.last == .number(0) { parts.removeLast() }
        return parts
    }
}
