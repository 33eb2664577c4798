import TenureCore
public import TenureFormats

extension MarketplaceNotice {
    /// The longest body that is accepted, in bytes: 64 KiB.
    public static let byteLimit = 64 << 10

    /// Reads a notification in either of Apple's forms; unknown fields are ignored.
    ///
    /// Throws ``FormatError``: `.malformed` if the body is too large or isn't a JSON object. `.badMember` if the type
    /// or id is missing or isn't 1 to 128 visible ASCII characters.
    public init(parsing body: [UInt8]) throws(FormatError) {
        guard body.count <= Self.byteLimit else {
            throw FormatError(.malformed, "a notification must be at most \(Self.byteLimit >> 10) KiB")
        }
        let root = try FlatObject(document: body, named: "notification")
        let data = try root.require("/data", root.object("data"))
        let id = try data.require("/data/id", data.string("id"))
        let type = try data.require("/data/type", data.string("type"))
        for (text, name) in [(id, "id"), (type, "type")]
        where !(1...128).contains(text.utf8.count) || !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw FormatError(.badMember, "the field \"/data/\(name)\" must be 1 to 128 visible characters long")
        }
        let facts = data.object("attributes").value
        let links = data.object("relationships").value
        let marketplace =
            facts?.item("marketplaceAppId") ?? links?.related("marketplaceApp").flatMap { AppleItemID(text: $0) }
        let time = [
            facts?.string("eventTimestamp").value, facts?.string("timestamp").value, data.string("timestamp").value,
        ].lazy.compactMap { $0.flatMap(Self.microseconds) }.first
        self.init(
            id: id, type: type, marketplace: marketplace, item: facts?.item("appId"), time: time,
            act: facts.flatMap { Self.act(type, $0, links) } ?? .nothing)
    }

    /// The effect of a notification of this type; `nil` if the type is unknown or a field that it needs is missing.
    private static func act(_ type: String, _ facts: FlatObject, _ links: FlatObject?) -> Act? {
        switch type {
        case "AlternativeDistributionPackageVersionAvailable":
            guard let version = facts.name("alternativeDistributionPackageVersionId") else { return nil }
            return .packageVersion(
                id: version, package: facts.name("alternativeDistributionPackageId"), lists: true)
        case "AppVersionsUnavailable", "AppVersionUnavailable":
            guard let packages = facts.strings("alternativeDistributionPackageIds").value else { return nil }
            let names = packages.compactMap(\.asName)
            return names.isEmpty ? nil : .availability(packages: names, isOpen: false, extent: .everywhere)
        case "AppUnavailable": return .availability(packages: [], isOpen: false, extent: .everywhere)
        case "alternativeDistributionPackageVersionCreated":
            guard let version = links?.related("instance").flatMap(\.asName) else { return nil }
            return .packageVersion(id: version, package: nil, lists: false)
        case "alternativeDistributionPackageAvailableUpdated":
            guard let package = links?.related("instance").flatMap(\.asName),
                let isOpen = facts.boolean("available").value
            else { return nil }
            return .availability(packages: [package], isOpen: isOpen, extent: facts.extent)
        case "alternativeDistributionTerritoryAvailabilityUpdated":
            guard let isOpen = facts.boolean("available").value else { return nil }
            return .availability(packages: [], isOpen: isOpen, extent: facts.extent)
        default: return nil
        }
    }

    /// Reads a time with an optional fraction of a second, which the two forms write differently.
    ///
    /// The result is in microseconds since 1970; `nil` for any other text.
    static func microseconds(_ text: String) -> Int64? {
        guard text.utf8.count <= 40, let whole = Timestamp(text: text),
            (-62_135_596_800...253_402_300_799).contains(whole.seconds)
        else { return nil }
        var fraction: Int64 = 0
        if let digits = text.cut(at: ".")?.after {
            var scale: Int64 = 100_000
            for digit in digits.utf8.prefix(while: { (0x30...0x39).contains($0) }) {
                fraction += Int64(digit - 0x30) * scale
                scale /= 10
            }
        }
        return whole.seconds * 1_000_000 + fraction
    }
}

extension String {
    /// The text as an id of App Store Connect, in lower case; `nil` if it can't be one.
    fileprivate var asName: String? {
        AssetID(self).map { $0.text.lowercased() }
    }
}

extension FlatObject {
    /// Reads an app's item id, written as a string or as a number; `nil` if it can't be read.
    fileprivate func item(_ name: String) -> AppleItemID? {
        identifier(name).value.flatMap { AppleItemID(number: $0) }
    }

    fileprivate func name(_ name: String) -> String? { string(name).value.flatMap(\.asName) }

    /// Reads the id of a relationship's target; `nil` if there isn't one.
    fileprivate func related(_ name: String) -> String? {
        object(name).value?.object("data").value?.string("id").value
    }

    /// The territories in which availability changes; everywhere if the notification lists no territory.
    ///
    /// Territories that can't be read are dropped.
    fileprivate var extent: Availability.Extent {
        guard let kind = kind("territories"), kind != .null else { return .everywhere }
        let names = strings("territories").value ?? []
        if kind == .array, names.isEmpty, elements("territories").value?.isEmpty ?? false { return .everywhere }
        return .within(Set(names.compactMap { Territory(alpha3: $0) }))
    }
}
