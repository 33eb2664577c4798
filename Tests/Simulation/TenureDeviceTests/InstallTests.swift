import Foundation
import Synchronization
import TenureCore
import TenureHTTP
import TenureHTTPClient
import TenureMarketplaceClient
import Testing

@testable import TenureDevice

/// Tests installs from a marketplace: success, failures that are resumed, and failures that end the install.
struct InstallTests {
    @Test func `an app is installed with its file and version, and the reported progress never decreases`() async throws
    {
        let home = try DeviceAtHome()
        let package = SamplePackage()
        package.serve(on: home.server)
        let seen = Mutex<[InstallProgress]>([])
        let done = try await home.install(meter: InstallMeter { now in seen.withLock { $0.append(now) } })
        #expect(home.file(1) == package.bytes)
        #expect(done.bytes == 2500 && done.resumedBytes == 0 && !done.isDelta)
        #expect(try home.folder.read().apps.first?.versions == .init(short: "1.1", bundle: "1"))
        let received = seen.withLock { $0 }
        #expect(received.last?.phase == .done && received.last?.fraction == 1)
        #expect(zip(received, received.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
    }

    @Test(arguments: [true, false])
    func `an interrupted download continues at the last whole chunk, or at the last byte if there are no digests`(
        hasDigests: Bool
    ) async throws {
        let home = try DeviceAtHome()
        let package = SamplePackage(hasDigests: hasDigests)
        package.serve(on: home.server) { $0.cut = 1500 }
        let done = try await home.install()
        #expect(home.file(1) == package.bytes && done.app.version == AppleVersionID(number: 1))
        #expect(home.ranges == ["all", hasDigests ? "bytes=1000-" : "bytes=1500-"])
    }

    @Test func `a download that completes no chunk fails, and the next installation starts it again`() async throws {
        let home = try DeviceAtHome()
        let package = SamplePackage()
        package.serve(on: home.server) { $0.cut = 900 }
        let end = await home.end()
        #expect(end?.code == .brokenDownload && end?.kit == .networkError)
        #expect(home.session.device.apps.isEmpty)
        package.serve(on: home.server) { $0.cut = 1100 }
        let done = try await home.install()
        #expect(done.resumedBytes == 0)
        #expect(home.file(1) == package.bytes)
        #expect(home.ranges == ["all", "all", "bytes=1000-", "bytes=2000-"])
    }

    @Test func `a partial download is checked again, and a damaged chunk is downloaded again`() async throws {
        let home = try DeviceAtHome()
        let package = SamplePackage()
        package.serve(on: home.server)
        let part = "\(home.folder.path)/downloads/\(game)-1-\(SamplePackage.variant).part"
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/downloads", withIntermediateDirectories: true)
        var stored = Array(package.bytes.prefix(2200))
        stored[1500] ^= 1
        try Data(stored).write(to: URL(filePath: part))
        let done = try await home.install()
        #expect(done.resumedBytes == 1000)
        #expect(home.ranges == ["bytes=1000-"])
        #expect(home.file(1) == package.bytes)
    }

    @Test func `a partial download of a changed file is replaced by the whole file, even if the server ignores ranges`()
        async throws
    {
        for knowsRanges in [true, false] {
            let home = try DeviceAtHome()
            SamplePackage(hasDigests: false).serve(on: home.server) { $0.tag = "\"new\"" }
            home.server.change { $0.files[SamplePackage.asset]?.knowsRanges = knowsRanges }
            let part = "\(home.folder.path)/downloads/\(game)-1-\(SamplePackage.variant).part"
            try FileManager.default.createDirectory(
                atPath: home.folder.path + "/downloads", withIntermediateDirectories: true)
            try Data([9, 9, 9]).write(to: URL(filePath: part))
            try Data("\"older\"".utf8).write(to: URL(filePath: part + ".etag"))
            let done = try await home.install()
            #expect(done.resumedBytes == 3)
            #expect(home.file(1) == SamplePackage().bytes)
            #expect(home.ranges == ["bytes=3-"])
        }
    }

    @Test func `a delta from the installed version is used, and older files are removed`() async throws {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        try await home.install()
        let second = SamplePackage(version: 2, hasDelta: true)
        second.serve(on: home.server)
        let done = try await home.install()
        #expect(done.isDelta && done.bytes == 900)
        #expect(done.app.asset.text == SamplePackage.variant)
        #expect(home.file(2, SamplePackage.delta) == second.deltaBytes)
        #expect(home.file(1) == nil)
        #expect(home.server.opened.count == 2)
        #expect(
            home.server.requests.last { $0.url.hasSuffix("licenses") }?.body.map {
                String(decoding: $0, as: UTF8.self).contains(SamplePackage.delta)
            } == true)
    }

    @Test func `a delta from another version isn't used`() async throws {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        try await home.install()
        let third = SamplePackage(version: 3, hasDelta: true)
        third.serve(on: home.server)
        let done = try await home.install()
        #expect(!done.isDelta && done.bytes == 2500)
        #expect(home.file(3) == third.bytes)
    }

    @Test func `after an interrupted update, the old version stays installed and launches`() async throws {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        try await home.install()
        SamplePackage(version: 2).serve(on: home.server) { $0.cut = 10 }
        #expect(await home.end()?.code == .brokenDownload)
        let app = try #require(try home.folder.read().apps.first)
        #expect(app.version == AppleVersionID(number: 1))
        #expect(app.launch(at: morning) == .launches(until: morning.adding(days: 30)))
        #expect(home.file(1) == SamplePackage().bytes)
    }

    /// Each fault of a server, with the error that ends the install.
    static let ends: [(String, DeviceError.Code, MarketplaceKitError, @Sendable (FakeMarketplace) -> Void)] = [
        (
            "10 GiB promised", .noRoom, .insufficientStorageSpace,
            { server in
                SamplePackage(promised: 1 << 50, hasDigests: false).serve(on: server)
            }
        ),
        (
            "more promised than sent", .badPackage, .networkError,
            { server in
                SamplePackage(promised: 10 << 20, hasDigests: false).serve(on: server) { $0.bytes = [1] }
            }
        ),
        (
            "endless", .badPackage, .networkError,
            { server in
                SamplePackage(hasDigests: false).serve(on: server) { $0.endless = [0] }
            }
        ),
        (
            "another chunk", .badPackage, .networkError,
            { server in
                SamplePackage().serve(on: server) { $0.bytes[5] ^= 1 }
            }
        ),
        (
            "redirect of the file", .badPackage, .networkError,
            { server in
                SamplePackage().serve(on: server) {
                    $0.instead = Response(status: 302, headers: ["Location": SamplePackage.place])
                }
            }
        ),
        (
            "redirect of the manifest", .refused, .networkError,
            { server in
                SamplePackage().serve(on: server)
                server.change {
                    $0.files["/adp/game/manifest.json"]?.instead = Response(
                        status: 301, headers: ["Location": "\(SamplePackage.place)/manifest.json"])
                }
            }
        ),
        (
            "another range", .badPackage, .networkError,
            { server in
                SamplePackage().serve(on: server) {
                    $0.instead = Response(status: 206, headers: ["Content-Range": "bytes 1-2499/2500"])
                }
            }
        ),
        (
            "a path that climbs", .badPackage, .invalidManifest,
            { server in
                SamplePackage(variantPath: "variant/../../../../etc/passwd").serve(on: server)
            }
        ),
        (
            "no JSON", .badPackage, .invalidManifest,
            { server in
                SamplePackage().serve(on: server)
                server.change { $0.files["/adp/game/manifest.json"]?.bytes = Array("<html>".utf8) }
            }
        ),
        (
            "no signature", .badPackage, .invalidAlternativeDistributionPackageSignature,
            { server in
                SamplePackage().serve(on: server)
                server.change { $0.files["/adp/game/signature"]?.bytes = [] }
            }
        ),
        (
            "for another platform", .badPackage, .unsupportedPlatform,
            { server in
                SamplePackage(platforms: #"["tvos"]"#).serve(on: server)
            }
        ),
        (
            "only suffixed models", .noVariant, .noSupportedVariant,
            { server in
                SamplePackage(device: "iPhone16,1-A").serve(on: server)
            }
        ),
        (
            "gone", .notAvailable, .invalidAlternativeDistributionPackageURL,
            { server in
                SamplePackage().serve(on: server)
                server.change {
                    $0.files["/adp/game/manifest.json"]?.instead = Response(
                        status: 404, body: Array(#"{"code":"app_withdrawn","detail":"Gone\u001b[2J."}"#.utf8))
                }
            }
        ),
        (
            "gone, without a sentence", .notAvailable, .invalidAlternativeDistributionPackageURL,
            { server in
                SamplePackage().serve(on: server)
                server.change {
                    $0.files["/adp/game/manifest.json"]?.instead = Response(
                        status: 404, body: Array(#"{"errors": []}"#.utf8))
                }
            }
        ),
        (
            "no such page", .refused, .networkError,
            { server in
                SamplePackage().serve(on: server)
                server.change {
                    $0.files["/adp/game/manifest.json"]?.instead = Response(
                        status: 404, body: Array("<h1>Not found</h1>".utf8))
                }
            }
        ),
        (
            "an empty license", .invalidLicense, .invalidLicense,
            { server in
                SamplePackage().serve(on: server)
                server.change {
                    $0.answers["licenses"] = Response(
                        status: 200, body: Array(#"{"license": "", "unlicensedApps": []}"#.utf8))
                }
            }
        ),
        (
            "no license at all", .invalidLicense, .invalidLicense,
            { server in
                SamplePackage().serve(on: server)
                server.change { $0.answers["licenses"] = Response(status: 200, body: Array("{}".utf8)) }
            }
        ),
        (
            "not licensed", .notLicensed, .invalidLicense,
            { server in
                SamplePackage().serve(on: server)
                server.change { $0.unlicensed = [game.number] }
            }
        ),
        ("away", .unreachable, .networkError, { server in server.change { $0.isDown = true } }),
    ]

    @Test(arguments: ends.indices)
    func `an installation that can't be completed fails with the cause's error code and installs nothing`(row: Int)
        async throws
    {
        let (name, code, kit, prepare) = Self.ends[row]
        let home = try DeviceAtHome()
        prepare(home.server)
        let end = await home.end()
        #expect(end?.code == code, "\(name): \(end?.message ?? "installed")")
        #expect(end?.kit == kit, "\(name)")
        #expect(home.session.device.apps.isEmpty)
    }

    @Test func `a package is refused if its app or version differs from the one to be installed`() async throws {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        #expect(await home.end(InstallOptions(promised: (chess, nil)))?.kit == .invalidManifest)
        #expect(await home.end(InstallOptions(promised: (game, AppleVersionID(number: 2))))?.kit == .invalidManifest)
        #expect(await home.end(InstallOptions(promised: (game, AppleVersionID(number: 1)))) == nil)
    }

    @Test func `all 23 errors of MarketplaceKit are declared, and 8 of them need a real device`() {
        #expect(MarketplaceKitError.allCases.count == 23)
        #expect(MarketplaceKitError.allCases.count { $0.needsRealDevice } == 8)
    }
}
