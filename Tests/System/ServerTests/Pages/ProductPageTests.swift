import TenureHTTP
import TenureMarketplaceServer
import TenureTesting
import Testing

/// The public page of an app, under `/apps`.
@Suite struct ProductPageTests {
    @Test(
        arguments: [
            (1...1, "0.1 kB"), (1_000...1_000, "1 kB"), (1_001...1_001, "1.1 kB"), (9_999...9_999, "10 kB"),
            (180_000_001...234_742_973, "181 to 235 MB, depending on the device"), (999_999...999_999, "1000 kB"),
            (950_000_000...2_760_000_000, "950 MB to 2.8 GB, depending on the device"),
            (Int64.max...Int64.max, "9223372037 GB"),
        ] as [(ClosedRange<Int64>, String)])
    func `an app's size is rounded up, with one decimal below ten, and a range names both ends`(
        bytes: ClosedRange<Int64>, expected: String
    ) {
        #expect(ProductView.size(bytes) == expected)
    }

    private static let app =
        #"{"appleItemID": "6483539426", "package": "game-2", "packageURL": "https://mart.example/adp/x"}"#

    private static func shop(_ members: String = #""appleItemID": "6483539426""#) async throws -> Market {
        try await Market(
            GivenMart.catalog(
                members: #""access": "token""# + (members.isEmpty ? "" : ", \(members)"),
                apps: app,
                accounts: ""))
    }

    @Test func `only the page of the marketplace's own app has an install link`() async throws {
        for (members, count) in [(#""appleItemID": "6483539426""#, 1), (#""appleItemID": "1000""#, 0), ("", 0)] {
            let answer = await (try Self.shop(members)).vendor.get("/apps/acme/6483539426")
            let text = String(decoding: answer.bytes, as: UTF8.self)
            #expect(answer.status == 200)
            #expect(text.components(of: "marketplace-kit://install?") == count)
            #expect((answer.headers["Refresh"] != nil) == (count == 1))
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: ["6483539427", "game", "0"])
    func `the page of an unknown app gets 404 and says that the marketplace has no such app`(item: String)
        async throws
    {
        let shop = try await Self.shop(#""appleItemID": "6483539426", "name": "Mart""#)
        let answer = await shop.vendor.get("/apps/acme/\(item)")
        let text = String(decoding: answer.bytes, as: UTF8.self)
        #expect(answer.status == 404 && answer.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(answer.headers["Content-Security-Policy"] != nil && answer.headers["Cache-Control"] == "no-store")
        #expect(text.contains("App not found") && text.contains("Mart has no app"))
        #expect(text.contains("href=\"/apps/acme/6483539426\""))
        #expect(await shop.vendor.get("/apps/nobody/\(item)").status == 404)
    }

    @Test func `an app's page at a marketplace without keys doesn't redirect to the installation`() async throws {
        let shop = try await Market(
            GivenMart.catalog(
                members: #""appleItemID": "6483539426""#,
                apps: Self.app, accounts: ""), keys: false)
        let answer = await shop.vendor.get("/apps/acme/6483539426")
        #expect(answer.status == 200 && answer.headers["Refresh"] == nil)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
