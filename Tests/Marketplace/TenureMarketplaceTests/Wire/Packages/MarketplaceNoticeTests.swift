import TenureCore
import TenureFormats
import TenureMarketplace
import Testing

/// Notifications from App Store Connect, in each of Apple's two formats.
@Suite struct MarketplaceNoticeTests {
    private static let version = "0b7d6a0e-6c7d-4a3b-9d0f-8f0c0b1a2c3d"
    private static let package = "52c5cb04-1163-4a30-ad4f-a3433cd6a4f6"

    private static func first(_ type: String, _ attributes: String) -> String {
        """
        {"data":{"type":"\(type)","version":1,"id":"n-1","timestamp":"2023-11-27T10:40:37.246-08:00",\
        "attributes":{"marketplaceAppId":"6497405838","appId":"6483539426"\(attributes)}}}
        """
    }

    private static func second(_ type: String, _ attributes: String, _ instance: String? = nil) -> String {
        let link = instance.map { "\"instance\":{\"data\":{\"type\":\"x\",\"id\":\"\($0)\"}}," } ?? ""
        return """
            {"data":{"type":"\(type)","id":"n-1","version":1,"attributes":{"appId":"6483539426",\
            "timestamp":"2026-07-17T14:55:16.125331Z"\(attributes)},"relationships":{\(link)\
            "marketplaceApp":{"data":{"type":"apps","id":"6497405838"}}}}}
            """
    }

    private static func territories(_ codes: String...) -> Availability.Extent {
        .within(Set(codes.compactMap { Territory(alpha3: $0) }))
    }

    @Test(
        arguments: [
            (
                first(
                    "AlternativeDistributionPackageVersionAvailable",
                    ",\"alternativeDistributionPackageId\":\"\(package.uppercased())\",\"alternativeDistributionPackageVersionId\":\"\(version)\",\"alternativeDistributionPackageVersionNum\":\"1\""
                ), .packageVersion(id: version, package: package, lists: true)
            ),
            (
                first("AppVersionsUnavailable", ",\"alternativeDistributionPackageIds\":[\"\(package)\",\"b\"]"),
                .availability(packages: [package, "b"], isOpen: false, extent: .everywhere)
            ),
            (
                first("AppVersionUnavailable", ",\"alternativeDistributionPackageIds\":[\"\(package)\"]"),
                .availability(packages: [package], isOpen: false, extent: .everywhere)
            ),
            (first("AppVersionsUnavailable", ",\"alternativeDistributionPackageIds\":[]"), .nothing),
            (first("AppUnavailable", ""), .availability(packages: [], isOpen: false, extent: .everywhere)),
            (
                second("alternativeDistributionPackageVersionCreated", "", version),
                .packageVersion(id: version, package: nil, lists: false)
            ),
            (second("alternativeDistributionPackageVersionCreated", ""), .nothing),
            (
                second(
                    "alternativeDistributionPackageAvailableUpdated", ",\"available\":false,\"territories\":[\"IRL\"]",
                    package), .availability(packages: [package], isOpen: false, extent: territories("IRL"))
            ),
            (
                second(
                    "alternativeDistributionTerritoryAvailabilityUpdated",
                    ",\"available\":true,\"territories\":[\"irl\",\"MLT\"]"),
                .availability(packages: [], isOpen: true, extent: territories("IRL", "MLT"))
            ),
            (
                second("alternativeDistributionTerritoryAvailabilityUpdated", ",\"available\":false"),
                .availability(packages: [], isOpen: false, extent: .everywhere)
            ),
            // An unreadable list of territories is never treated as all territories.
            (
                second(
                    "alternativeDistributionTerritoryAvailabilityUpdated", ",\"available\":false,\"territories\":[7]"),
                .availability(packages: [], isOpen: false, extent: territories())
            ),
            (second("alternativeDistributionTerritoryAvailabilityUpdated", ",\"available\":\"no\""), .nothing),
            (second("webhookPingCreated", ",\"ping\":true"), .nothing),
            (second("somethingNew", ""), .nothing),
        ] as [(String, MarketplaceNotice.Act)])
    func `a notification in either of Apple's formats is parsed to its action, app, id and time`(
        body: String, act: MarketplaceNotice.Act
    ) throws {
        let notice = try MarketplaceNotice(parsing: Array(body.utf8))
        #expect(notice.act == act)
        #expect(notice.id == "n-1")
        #expect(notice.marketplace?.number == 6_497_405_838)
        #expect(notice.item?.number == 6_483_539_426)
        let isFirst = body.contains("marketplaceAppId")
        #expect(notice.time == (isFirst ? 1_701_110_437_246_000 : 1_784_300_116_125_331))
    }

    @Test func `a notification's event time takes precedence over the time at which it was sent`() throws {
        let body = Self.first("AppUnavailable", ",\"eventTimestamp\":\"2026-01-01T00:00:00Z\"")
        #expect(try MarketplaceNotice(parsing: Array(body.utf8)).time == 1_767_225_600_000_000)
    }

    @Test(
        arguments: [
            "", "{", "[]", "7", "{\"data\":[]}", "{\"data\":{\"type\":\"t\"}}", "{\"data\":{\"id\":\"a\"}}",
            "{\"data\":{\"type\":\"t\",\"id\":\"\"}}", "{\"data\":{\"type\":\"t\",\"id\":\"a b\"}}",
            "{\"data\":{\"type\":\"t\",\"id\":7}}", "{\"data\":{\"type\":\"t\\u0000\",\"id\":\"a\"}}",
            "{\"data\":{\"type\":\"\(String(repeating: "t", count: 129))\",\"id\":\"a\"}}",
        ])
    func `a malformed notification is refused`(body: String) {
        #expect(throws: FormatError.self) { try MarketplaceNotice(parsing: Array(body.utf8)) }
    }

    @Test func `parsing a changed or truncated notification never crashes`() throws {
        let whole = Array(Self.second("alternativeDistributionPackageAvailableUpdated", ",\"available\":false").utf8)
        for index in whole.indices {
            for byte: UInt8 in [0, 0x22, 0x5B, 0x7B, 0x39, 0xC3, 0xFF] {
                var damaged = whole
                damaged[index] = byte
                _ = try? MarketplaceNotice(parsing: damaged)
            }
            _ = try? MarketplaceNotice(parsing: Array(whole[..<index]))
        }
        #expect(throws: FormatError.self) {
            try MarketplaceNotice(parsing: [UInt8](repeating: 0x20, count: MarketplaceNotice.byteLimit + 1))
        }
    }
}
