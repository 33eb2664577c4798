import Foundation
import TenureClient
import Testing

/// License keys in links from unknown senders.
@MainActor @Suite struct LicenseLinkTests {
    @Test(
        arguments: zip(
            [
                "notes://activate?key=NOTE-1", "NOTES://Activate/?key=NOTE-1", "notes://activate?utm=x&key=NOTE%2D1",
                "com.example.notes://activate?key=%20note-1", "https://acme.example/activate#NOTE-1",
                "HTTPS://acme.example/en/activate?utm=x#key=NOTE%2D1",
            ], ["NOTE-1", "NOTE-1", "NOTE-1", " note-1", "NOTE-1", "NOTE-1"]))
    func `the license key is read from each form of activation link`(text: String, key: String) {
        #expect(URL(string: text).flatMap(LicenseLink.init)?.key == key)
    }

    @Test func `an activation link may have a license key of 4,096 bytes, each of them escaped`() throws {
        let text = "notes://activate?key=" + String(repeating: "%C3%9F", count: 2_048)
        let link = try #require(URL(string: text).flatMap(LicenseLink.init))
        #expect(link.key == String(repeating: "ß", count: 2_048))
    }

    @Test(arguments: [
        "notes://activate", "notes://activate?key=", "notes://activate?key=%20", "notes://activate?key=a&key=b",
        "notes://deactivate?key=a", "notes:activate?key=a", "notes://activate/x?key=a", "https://activate?key=a",
        "http://activate?key=a", "https://acme.example/activate", "https://acme.example/activate#",
        "https://acme.example/activate#key=", "https://acme.example/activate?key=a", "https://acme.example/other#a",
        "http://acme.example/activate#a", "https://me@acme.example/activate#a", "file:///activate?key=a",
        "notes://me@activate?key=a", "notes://activate?key=a#b",
        "notes://activate?Key=a", "notes://activate?key=" + String(repeating: "A", count: 4_097),
        "notes://activate?key=" + String(repeating: "A", count: 1 << 20),
    ])
    func `a URL that isn't an activation link with exactly one key of at most 4,096 bytes is refused`(text: String)
        throws
    {
        #expect(LicenseLink(try #require(URL(string: text))) == nil)
    }

    @Test func `a printed activation link doesn't contain its key`() throws {
        let link = try link("NOTE-1")
        #expect(!"\(link)".contains("NOTE-1"))
    }

    private func link(_ key: String) throws -> LicenseLink {
        let url = try #require(URL(string: "notes://activate?key=\(key)"))
        return try #require(LicenseLink(url))
    }

    @Test func `an activation link replaces a valid license only after confirmation`() async throws {
        let app = App()
        app.issue("KEY-A")
        app.issue("KEY-B")
        let manager = await app.launch()
        #expect(await manager.effect(of: try link("KEY-A")) == .activates)
        #expect(try await manager.activate(try link("KEY-A")) == .done)
        _ = app.vendor.drain()

        #expect(await manager.effect(of: try link("KEY-B")) == .replaces)
        guard case .refused(let why) = try await manager.activate(try link("KEY-B")) else {
            Issue.record("the license was replaced")
            return
        }
        #expect(why.reasons.map(\.code) == ["license_in_use"])
        #expect(app.vendor.drain().isEmpty)
        #expect(try await manager.activate(try link("KEY-B"), replacing: true) == .done)
        #expect(await manager.effect(of: try link("key-b")) == .changesNothing)
    }

    @Test
    func `an activation link needs no confirmation if it has the current key or the license was revoked`()
        async throws
    {
        let app = App()
        app.issue("KEY-A")
        app.issue("KEY-B")
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        _ = app.vendor.drain()
        #expect(try await manager.activate(try link("KEY-A")) == .done)
        #expect(app.vendor.drain().isEmpty)
        app.vendor.change { $0.licenses["KEY-A"]?.state = .revoked }
        await manager.checkNow()
        #expect(await manager.effect(of: try link("KEY-B")) == .activates)
        #expect(try await manager.activate(try link("KEY-B")) == .done)
    }
}
