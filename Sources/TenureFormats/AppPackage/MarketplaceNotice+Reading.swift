public import TenureCore

extension MarketplaceNotice {
    /// The longest body that is read, in bytes: 64 KiB.
    public static let byteLimit = 64 << 10

    /// Reads a notification, in either of Apple's forms; members that are not known are left alone.
    ///
    /// Throws ``FormatError``: `.malformed` for what is no JSON object, `.badMember` for one without a type or a name, or
    /// with a name that no notification has.
    public init(parsing body: [UInt8]) throws(FormatError) {
        guard body.count <= Self.byteLimit else {
            throw FormatError(.malformed, "a notification has at most \(Self.byteLimit >> 10) KiB")
        }
        let root = try FlatObject(document: body, named: "notification")
        let data = try root.require("/data", root.object("data"))
        let id = try data.require("/data/id", data.string("id"))
        let type = try data.require("/data/type", data.string("type"))
        for (text, name) in [(id, "id"), (type, "type")]
        where !(1...128).contains(text.utf8.count) || !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw FormatError(.badMember, "the member \"/data/\(name)\" must have 1 to 128 visible characters")
        }
        let facts = data.object("attributes").value
        let links = data.object("relationships").value
        let marketplace =
            facts?.item("marketplaceAppId") ?? links?.related("marketplaceApp").flatMap { AppleItemID(text: $0) }
        let moment = [
            facts?.string("eventTimestamp").value, facts?.string("timestamp").value, data.string("timestamp").value,
        ].lazy.compactMap { $0.flatMap(Self.microseconds) }.first
        self.init(
            id: id, type: type, marketplace: marketplace, item: facts?.item("appId"), moment: moment,
            act: facts.flatMap { Self.act(type, $0, links) } ?? .nothing)
    }

    /// What a type means; nil for one that is not known, and one that lacks what it would need.
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

    /// A moment with a fraction of a second, as both forms write it differently; nil for anything else.
    static func microseconds(_ text: String) -> Int64? {
        guard text.utf8.count <= 40, let whole = Timestamp(text: text),
            (-62_135_596_800...253_402_300_799).contains(whole.seconds)
        else { return nil }
        var fraction: Int64 = 0
        if let point = text.firstIndex(of: ".") {
            var scale: Int64 = 100_000
            for digit in text[text.index(after: point)...].utf8.prefix(while: { (0x30...0x39).contains($0) }) {
                fraction += Int64(digit - 0x30) * scale
                scale /= 10
            }
        }
        return whole.seconds * 1_000_000 + fraction
    }
}

extension String {
    /// A name that App Store Connect gave something, in small letters; nil for what can be none.
    fileprivate var asName: String? {
        AssetID(self).map { $0.text.lowercased() }
    }
}

extension FlatObject {
    /// An app's number, as a text or as a number.
    fileprivate func item(_ name: String) -> AppleItemID? {
        identifier(name).value.flatMap { AppleItemID(number: $0) }
    }

    fileprivate func name(_ name: String) -> String? { string(name).value.flatMap(\.asName) }

    /// The id of what a relationship leads to.
    fileprivate func related(_ name: String) -> String? {
        object(name).value?.object("data").value?.string("id").value
    }

    /// Where something opens or closes: everywhere, where no territories are named. Those that cannot be read are none.
    fileprivate var extent: Availability.Extent {
        guard let kind = kind("territories"), kind != .null else { return .everywhere }
        let names = strings("territories").value ?? []
        if kind == .array, names.isEmpty, elements("territories").value?.isEmpty ?? false { return .everywhere }
        return .within(Set(names.compactMap { Territory(alpha3: $0) }))
    }
}
