import Foundation
import GoldenFiles
import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplaceClient
import Testing

@testable import TenureDevice

/// Tests the stored bytes of a simulated device.
@Suite struct StoredDeviceTests {
    private struct Vector: Decodable { let certificate, license: String }

    /// A device with every member set.
    private static func full() throws -> Device {
        let vector = try JSONDecoder().decode(
            Vector.self,
            from: Data(
                contentsOf: URL.packageRoot.appending(path: "Tests/Vectors/simulated-app-license.json")))
        let der = try #require(Hex.decode(vector.certificate))
        var device = Device(
            id: [UInt8](0..<32), model: "iPhone16,1", systemVersion: "18.2",
            server: try #require(ServerAddress("http://127.0.0.1:8080", domain: "mart.example")))
        device.account = AccountID("ada")
        device.tokenFile = "/run/token"
        device.otherTokenFiles = [AccountID("bob")!: "/run/bob-token"]
        device.clockFile = "/run/clock"
        device.marketplaceName = "Example Mart"
        device.lastUpdateQuestion = morning
        device.pollingIntervalHours = 24
        device.ownUpdateChecks = [game: UpdateCheck(at: morning, pollingIntervalHours: 48)]
        device.lastDailyJob = morning.adding(seconds: 60)
        var watch = LicenseWatch()
        _ = watch.take(
            LicenseNews(cursor: "8", hasMore: true, expired: [game]), installed: [game], at: morning)
        device.watches = [AccountID("ada")!: watch]
        var app = InstalledApp(
            item: game, version: AppleVersionID(number: 863_214_182)!, asset: AssetID("variant-1")!,
            bundleID: "com.example.game", account: AccountID("ada"),
            license: HeldLicense(
                document: Array(vector.license.utf8), item: game, trusting: [try X509Certificate(der)]),
            resolutionURL: "https://mart.example/resolve")
        app.ineligibleSince = morning.adding(seconds: 120)
        app.versions = InstalledApp.VersionTexts(short: "1.2", bundle: "345")
        app.givenName = "Game"
        app.isMarketplace = true
        device.install(app)
        device.waiting = [
            WaitingApp(
                item: chess, version: AppleVersionID(number: 863_214_183)!, bundleID: "com.example.chess",
                givenName: "Chess", isMarketplace: true, account: AccountID("ada"), reason: "notAvailable")
        ]
        device.certificates = ["https://mart.example/certificate": der]
        return device
    }

    @Test func `the sample device has a value for every member`() throws {
        // This device uses TCP. A Unix socket's path would be in `server` too.
        #expect(unsetMembers(of: try Self.full()).filter { !$0.hasSuffix("unixSocket") } == [])
    }

    @Test func `a device is written with the golden file's bytes and read back from them`() throws {
        let device = try Self.full()
        let file = GoldenFile("device/device-update-checks.json")
        try file.compare(device.json())
        #expect(try Device(json: file.bytes(), file: "device.json") == device)
    }

    @Test func `a device that was stored before apps had their own update checks is read`() throws {
        var device = try Self.full()
        device.ownUpdateChecks = [:]
        #expect(try Device(json: GoldenFile("device/device-accounts.json").bytes(), file: "device.json") == device)
    }

    @Test func `a device that was stored before accounts had their own token files is read`() throws {
        var device = try Self.full()
        device.ownUpdateChecks = [:]
        device.otherTokenFiles = [:]
        device.waiting[0].account = nil
        #expect(try Device(json: GoldenFile("device/device.json").bytes(), file: "device.json") == device)
    }
}
