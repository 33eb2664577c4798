import TenureCore
import TenureHTTP
import TenureHTTPClient
import TenureMarketplace
import Testing

@testable import TenureDevice

struct DeviceSessionTests {
    private let server = FakeMarketplace()

    private func session(_ device: Device = newDevice(), token: String? = nil) -> DeviceSession {
        DeviceSession(
            device,
            at: ServedMarketplace(device.server, transport: server, certificates: device.certificates), token: token)
    }

    private func installed(_ items: AppleItemID...) async throws -> DeviceSession {
        var session = session()
        for item in items { _ = try await session.install(wanted(item), bundleID: nil, at: morning) }
        return session
    }

    private func code(_ body: () async throws -> Void) async -> DeviceError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DeviceError)?.code
        }
    }

    @Test func `an installed app has the license that the marketplace signed`() async throws {
        let session = try await installed(game)
        let app = try session.app(game)
        #expect(app.launch(at: morning) == .launches(until: morning.adding(days: 30)))
        #expect(app.resolutionURL == "https://127.0.0.1/resolve")
        #expect(server.opened.map(\.deviceID) == [session.device.id])
        #expect(server.opened.map(\.appleItemIDs) == [[game.number]])
    }

    @Test
    func `an installation requests the marketplace's URLs from its server, with the token only in the license request`()
        async throws
    {
        var session = session(token: "secret")
        _ = try await session.install(wanted(game), bundleID: nil, at: morning)
        #expect(server.requests.allSatisfy { $0.url.hasPrefix("http://127.0.0.1:1/") })
        let bearers = server.requests.map { $0.headers["Authorization"] }
        #expect(bearers == [nil, nil, "Bearer secret"])
    }

    @Test func `each account's apps are renewed with that account's token`() async throws {
        let (ada, bob) = (try #require(AccountID("ada")), try #require(AccountID("bob")))
        var device = newDevice()
        device.account = ada
        device.tokenFile = "ada.token"
        var first = session(device, token: "ada's")
        _ = try await first.install(wanted(game), bundleID: nil, at: morning)
        device = first.device
        device.use(bob)
        #expect(device.tokenFile == nil && device.otherTokenFiles == [ada: "ada.token"])
        let others = [ada: RequestingDevice(deviceID: device.id, token: "ada's")]
        var second = DeviceSession(
            device, at: ServedMarketplace(device.server, transport: server, certificates: device.certificates),
            token: "bob's", others: others)
        _ = try await second.install(wanted(chess), bundleID: nil, at: morning)
        #expect(second.device.apps.map(\.account) == [ada, bob])
        #expect(second.device.otherAccounts == [ada])

        let sent = server.requests.count
        let renewal = try await second.renew([game, chess], at: morning.adding(days: 1))
        #expect(renewal.renewed.map(\.item) == [game, chess])
        let bearers = server.requests.dropFirst(sent).compactMap { $0.headers["Authorization"] }
        #expect(bearers == ["Bearer ada's", "Bearer bob's"])
        #expect(server.opened.suffix(2).map(\.licenseIDs.count) == [1, 1])
        device.use(ada)
        #expect(device.otherTokenFiles.isEmpty, "an account that signs in no longer uses its token file")
    }

    @Test func `a failed request of one account doesn't prevent another account's renewal`() async throws {
        let ada = try #require(AccountID("ada"))
        var device = newDevice()
        device.account = ada
        var first = session(device, token: "ada's")
        _ = try await first.install(wanted(game), bundleID: nil, at: morning)
        device = first.device
        device.use(try #require(AccountID("bob")))
        server.change { $0.refusedBearer = "ada's" }
        var second = DeviceSession(
            device, at: ServedMarketplace(device.server, transport: server, certificates: device.certificates),
            token: "bob's", others: [ada: RequestingDevice(deviceID: device.id, token: "ada's")])
        _ = try await second.install(wanted(chess), bundleID: nil, at: morning)
        let renewal = try await second.renew([game, chess], at: morning.adding(days: 1))
        #expect(renewal.renewed.map(\.item) == [chess] && renewal.unanswered.map(\.item) == [game])
    }

    @Test func `an app that is not licensed is not installed`() async throws {
        server.change { $0.unlicensed = [game.number] }
        var session = session()
        let app = try await session.install(wanted(game), bundleID: nil, at: morning)
        #expect(app == nil)
        #expect(session.device.apps.isEmpty)
    }

    @Test func `a simulated device's daily job requests all due licenses in one request`() async throws {
        var session = try await installed(game, chess)
        let requestCount = server.opened.count
        _ = try await session.runDailyJob(at: morning.adding(days: 28))
        #expect(server.opened.count == requestCount)
        let renewal = try await session.runDailyJob(at: morning.adding(days: 29))
        #expect(server.opened.count == requestCount + 1)
        #expect(server.opened.last?.licenseIDs.count == 2)
        #expect(renewal.renewed.map(\.item) == [game, chess])
        #expect(session.device.apps.allSatisfy { $0.launch(at: morning.adding(days: 58)) != .blocked(.noLicense) })
        #expect(session.device.apps.allSatisfy { $0.license?.term.end == morning.adding(days: 59) })
    }

    @Test func `an app whose license the marketplace reports as ineligible doesn't launch until a renewal succeeds`()
        async throws
    {
        var session = try await installed(game, chess)
        let id = try #require(session.device[game]?.license?.id)
        server.change { $0.ineligible = [id, 999] }
        let refused = try await session.renew([game, chess], at: morning.adding(days: 1))
        #expect(refused.ineligible.map(\.item) == [game])
        #expect(refused.renewed.map(\.item) == [chess])
        let blocked = LaunchDecision.blocked(.ineligible(since: morning.adding(days: 1)))
        #expect(session.device[game]?.launch(at: morning.adding(days: 2)) == blocked)
        server.change { $0.ineligible = [] }
        _ = try await session.renew([game], at: morning.adding(days: 3))
        #expect(session.device[game]?.launch(at: morning.adding(days: 3)) == .launches(until: morning.adding(days: 33)))
    }

    @Test func `a failed renewal leaves the installed apps unchanged`() async throws {
        var session = try await installed(game)
        let before = session.device.apps
        server.change { $0.isDown = true }
        let down = await code { _ = try await session.renew([game], at: morning.adding(days: 29)) }
        #expect(down == .unreachable)
        server.change {
            $0.isDown = false; $0.status = 503
        }
        let busy = await code { _ = try await session.renew([game], at: morning.adding(days: 29)) }
        #expect(busy == .refused)
        #expect(session.device.apps == before)
    }

    @Test func `a device refuses a license that was issued for another request or device`() async throws {
        server.change { $0.requestIDShift = 1 }
        #expect(await code { _ = try await installed(game) } == .invalidLicense)
        server.change {
            $0.requestIDShift = 0; $0.deviceIDSuffix = [1]
        }
        #expect(await code { _ = try await installed(game) } == .invalidLicense)
    }

    @Test func `a license that wasn't signed with the marketplace's current certificate is refused`() async throws {
        server.change { $0.signing = 1 }
        #expect(await code { _ = try await installed(game) } == .invalidLicense)
    }

    @Test func `a simulated device finds a rotated signing key by fetching the configuration once more`() async throws {
        var session = try await installed(game)
        server.change {
            $0.signing = 1; $0.named = 1
        }
        let renewal = try await session.renew([game], at: morning.adding(days: 1))
        #expect(renewal.renewed.map(\.item) == [game])
        #expect(server.paths.suffix(3) == ["renew", "marketplace-kit", "1.cer"])
    }

    @Test
    func `a tap on an app uses the server's current configuration, or the stored one if the server doesn't respond`()
        async throws
    {
        let device = try await installed(game).device
        let later = morning.adding(days: 31)
        server.change { $0.hasResolution = false }
        var online = session(device)
        #expect(try await online.tap(game, at: later).hasResolve == false)
        server.change { $0.isDown = true }
        var offline = session(device)
        #expect(try await offline.tap(game, at: later).hasResolve == true)
    }

    @Test func `the resolution page can be read as text`() async throws {
        let page = try await session().openPage("https://127.0.0.1/resolve?account=ada")
        #expect(page.lines.map(\.text) == ["Your license", "Tom & Ada"])
        #expect(page.status == 200)
    }

    @Test func `the error about an app that isn't installed lists the installed apps`() async throws {
        var session = try await installed(game)
        let error = await #expect(throws: DeviceError.self) { try await session.renew([chess], at: morning) }
        #expect(error?.code == .notInstalled)
        #expect(error?.message.contains(game.description) == true)
    }
}

extension Tap {
    fileprivate var hasResolve: Bool {
        if case .alert(let alert, _) = self { alert.resolution != nil } else { false }
    }
}
