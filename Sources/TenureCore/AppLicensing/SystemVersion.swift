/// The version of a device's system, such as `17.4`: up to four numbers, compared one by one; a missing one is 0.
public struct SystemVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let parts: [Int]

    /// Reads one to four numbers between periods; refuses everything else.
    public init?(_ text: some StringProtocol) {
        let texts = text.split(separator: ".", omittingEmptySubsequences: false)
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

    /// The numbers, without zeros at the end.
    public var description: String { parts.map(String.init).joined(separator: ".") }

    /// Orders versions as systems are released.
    public static func < (one: SystemVersion, other: SystemVersion) -> Bool {
        one.parts.lexicographicallyPrecedes(other.parts)
    }
}

/// The kinds of devices that apps are offered to.
public enum ApplePlatform: String, Sendable, Hashable, CaseIterable {
    case iOS, iPadOS

    /// The platform of a device's model, such as `iPad16,3-A`; nil for one of neither.
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

/// What a device says of itself when it looks for apps.
public struct AppleSystem: Sendable, Hashable {
    /// What kind of device it is.
    public let platform: ApplePlatform
    /// What runs on it.
    public let version: SystemVersion

    /// Puts it together.
    public init(platform: ApplePlatform, version: SystemVersion) {
        self.platform = platform
        self.version = version
    }
}

extension AppVersion {
    /// Whether it is newer than another of the same app: by the version that people read, then by the build, then by
    /// Apple's number (`spec/apple-more.md` §2).
    public func isNewer(than other: AppVersion) -> Bool {
        let (short, build) = (Self.parts(shortVersion), Self.parts(bundleVersion))
        let (otherShort, otherBuild) = (Self.parts(other.shortVersion), Self.parts(other.bundleVersion))
        if short != otherShort { return otherShort.lexicographicallyPrecedes(short) }
        if build != otherBuild { return otherBuild.lexicographicallyPrecedes(build) }
        return id > other.id
    }

    /// A part of a version, ordered as people count: numbers before texts.
    private enum Part: Hashable, Comparable {
        case number(UInt64)
        case text(String)
    }

    /// The parts between periods, without zeros at the end: `1.0` is `1`.
    private static func parts(_ version: String) -> [Part] {
        var parts = version.split(separator: ".", omittingEmptySubsequences: false).map { text in
            UInt64(text).map(Part.number) ?? .text(String(text))
        }
        while parts.count > 1, parts.last == .number(0) { parts.removeLast() }
        return parts
    }
}
