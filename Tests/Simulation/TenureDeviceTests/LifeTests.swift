import TenureCore
import TenureHTTP
import TenureHTTPClient
import TenureMarketplaceClient
import Testing

@testable import TenureDevice

/// Tests a device after the install: license renewals, updates, and the restore of apps to a new device.
struct LifeTests {
    private static func json(_ text: String, _ status: Int = 200) -> Response {
        Response(status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }

    private static func entry(_ list: String, version: UInt64, token: String = #""t""#) -> Response {
        json(
            """
            {"\(list)":[{"appleItemId":"\(game)","appleVersionId":"\(version)","shortVersionString":"1.\(version)",
             "bundleVersion":"\(version)","alternativeDistributionPackage":"\(SamplePackage.place)",
             "installVerificationToken":\(token)}],"failures":[]}
            """)
    }

    // MARK: Licenses to renew

    @Test func `a device requests license changes from its last cursor and follows further pages`() async throws {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        try await home.install()
        home.server.change {
            $0.answers["state?since=0"] = Self.json(#"{"cursor":"5","hasMore":true,"renew":[],"licenses":[]}"#)
            $0.answers["state?since=5"] = Self.json(
                #"{"cursor":"8","hasMore":false,"renew":["6483539426","6483539427"],"licenses":[]}"#)
            $0.answers["state?since=8"] = Self.json(#"{"cursor":"8","hasMore":false,"renew":[],"licenses":[]}"#)
        }
        let renewal = try await home.session.watchLicenses(isStart: true, at: morning.adding(days: 20))
        #expect(renewal.renewed.map(\.item) == [game])
        #expect(home.server.paths.filter { $0.hasPrefix("state") } == ["state?since=0", "state?since=5"])
        try home.folder.write(home.session.device)
        #expect(try home.folder.read().watches == home.session.device.watches)
        let requestCount = home.server.requests.count
        _ = try await home.session.watchLicenses(isStart: false, at: morning.adding(days: 20).adding(seconds: 86_399))
        #expect(home.server.requests.count == requestCount)
        let later = try await home.session.watchLicenses(isStart: false, at: morning.adding(days: 21))
        #expect(later.renewed.isEmpty)
        #expect(home.server.paths.last == "state?since=8")
    }

    @Test func `a renewal response with an empty license is refused and leaves the stored license unchanged`()
        async throws
    {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        try await home.install()
        let before = home.session.device
        home.server.change { $0.answers["renew"] = Self.json(#"{"license":"","ineligibleLicenses":[]}"#) }
        await #expect(throws: DeviceError(.invalidLicense, "")) {
            try await home.session.renew([game], at: morning.adding(days: 1))
        }
        #expect(home.session.device.apps == before.apps)
    }

    /// The response of the install token endpoint, and the error that ends the install.
    @Test(
        arguments: [
            (json(#"{"code":"app_unknown","detail":"No such app."}"#, 404), .notAvailable, .cancelled),
            (json("{}", 404), .notAvailable, .cancelled),
            (Response(status: 404, body: Array("<html>".utf8)), .refused, .networkError),
        ] as [(Response, DeviceError.Code, MarketplaceKitError)])
    func `a 404 response in JSON to an install token request means that the app isn't available`(
        answer: Response, code: DeviceError.Code, kit: MarketplaceKitError
    ) async throws {
        let home = try DeviceAtHome()
        home.server.change { $0.answers["install-token"] = answer }
        let error = await #expect(throws: DeviceError.self) {
            try await home.session.offer(of: game, version: nil, at: morning)
        }
        #expect(error?.code == code && error?.kit == kit)
    }

    // MARK: Updates

    @Test func `an update is requested once a day and installed`() async throws {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        try await home.install()
        home.server.change { $0.answers["updates"] = Self.entry("updates", version: 1) }
        let first = try await home.session.update(into: home.folder.files, at: morning)
        #expect(first.updated.isEmpty && first.dropped.map(\.reason) == ["notNewer"])
        SamplePackage(version: 2, hasDelta: true).serve(on: home.server)
        home.server.change { $0.answers["updates"] = Self.entry("updates", version: 2) }
        let early = try await home.session.update(into: home.folder.files, at: morning.adding(seconds: 86_399))
        #expect(early.notBefore == morning.adding(days: 1) && early.updated.isEmpty)
        let due = try await home.session.update(into: home.folder.files, at: morning.adding(days: 1))
        #expect(due.updated.map(\.isDelta) == [true])
        #expect(home.session.device[game]?.version == AppleVersionID(number: 2))
    }

    @Test func `an app with its own polling interval is checked for updates at that interval`() async throws {
        let home = try DeviceAtHome()
        home.server.change { $0.ownIntervals = [game: 48] }
        SamplePackage().serve(on: home.server)
        try await home.install()
        home.session.device.install(installed(chess, license: nil))
        home.server.change { $0.answers["updates"] = Self.json(#"{"updates": [], "failures": []}"#) }
        /// Runs an update check and returns the apps that its requests contain.
        func asked(after days: Int) async throws -> [String] {
            let before = home.server.requests.count
            _ = try await home.session.update(into: home.folder.files, at: morning.adding(days: days))
            let bodies = home.server.requests.dropFirst(before).compactMap(\.body)
            return bodies.flatMap { body in
                [game, chess].map(\.description).filter { String(decoding: body, as: UTF8.self).contains($0) }
            }
        }
        #expect(try await asked(after: 0) == [game.description, chess.description])
        #expect(try await asked(after: 1) == [chess.description])
        #expect(try await asked(after: 1) == [])
        #expect(try await asked(after: 2) == [game.description, chess.description])
        let check = UpdateCheck(at: morning.adding(days: 2), pollingIntervalHours: 48)
        #expect(home.session.device.ownUpdateChecks == [game: check])
        let early = try await home.session.update(
            into: home.folder.files, at: morning.adding(days: 2).adding(seconds: 60))
        #expect(early.notBefore == morning.adding(days: 3))
    }

    @Test func `an app with its own license endpoint gets its install token from the marketplace's endpoint`()
        async throws
    {
        let home = try DeviceAtHome()
        home.server.change { rules in
            rules.ownIntervals = [game: 24]
            rules.answers["install-token"] = Self.json(
                #"{"installVerificationToken": "t", "alternativeDistributionPackage": "https://127.0.0.1/p", "appleVersionID": "1"}"#
            )
        }
        let offer = try await home.session.offer(of: game, version: nil, at: morning)
        #expect(offer.package == "https://127.0.0.1/p")
        #expect(home.server.requests.last?.url.hasSuffix("/shop/install-token") == false)
    }

    @Test func `a confirmed installation gets its package from the restore endpoint, and fails if that returns none`()
        async throws
    {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        func install() async throws -> FinishedInstall {
            let version = try #require(AppleVersionID(number: 1))
            return try await home.session.install(
                .web("https://127.0.0.1/elsewhere"),
                InstallOptions(promised: (game, version), requestsRestore: true, isOffered: true),
                into: home.folder.files, at: morning)
        }
        let failure =
            #"{"appleItemId": "\#(game)", "appleVersionId": "1", "failure": {"code": 404, "description": "Gone."}}"#
        home.server.change { $0.answers["restore"] = Self.json(#"{"restores": [], "failures": [\#(failure)]}"#) }
        let gone = await #expect(throws: DeviceError.self) { try await install() }
        #expect(gone?.code == .notAvailable && home.session.device.apps.isEmpty)
        home.server.change { $0.answers["restore"] = Response(status: 503) }
        await #expect(throws: DeviceError.self) { try await install() }
        home.server.change { $0.answers["restore"] = Self.entry("restores", version: 1) }
        #expect(try await install().app.item == game)
        #expect(!home.server.requests.contains { $0.url.contains("elsewhere") })
    }

    @Test
    func `if an installation names the app and version, its package is read before the restore endpoint is requested`()
        async throws
    {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        home.server.change { $0.answers["restore"] = Self.entry("restores", version: 1) }
        let version = try #require(AppleVersionID(number: 1))
        let request = InstallOptions(promised: (game, version), requestsRestore: true)
        func install(_ url: String) async throws -> FinishedInstall {
            try await home.session.install(.web(url), request, into: home.folder.files, at: morning)
        }
        await #expect(throws: DeviceError.self) { try await install("https://127.0.0.1/elsewhere") }
        #expect(home.server.requests.contains { $0.url.contains("elsewhere") })
        #expect(!home.server.requests.contains { $0.url.hasSuffix("/restore") })
        #expect(try await install(SamplePackage.place).app.item == game)
        #expect(home.server.requests.contains { $0.url.hasSuffix("/restore") })
    }

    @Test func `an update check without a response from one endpoint is repeated only for that endpoint's apps`()
        async throws
    {
        let home = try DeviceAtHome()
        home.server.change { rules in
            rules.ownIntervals = [game: 24]
            rules.ownUpdates = "own-updates"
            rules.answers["updates"] = Self.json(#"{"updates": [], "failures": []}"#)
            rules.answers["own-updates"] = Response(status: 503)
        }
        SamplePackage().serve(on: home.server)
        try await home.install()
        home.session.device.install(installed(chess, license: nil))
        /// Runs an update check and returns the endpoints that it requests, and the apps whose check failed.
        func asked(at now: Timestamp) async throws -> (endpoints: [String], failed: [AppleItemID]) {
            let before = home.server.requests.count
            let round = try await home.session.update(into: home.folder.files, at: now)
            let urls = home.server.requests.dropFirst(before).map(\.url).filter { $0.hasSuffix("updates") }
            return (urls.compactMap { $0.split(separator: "/").last.map(String.init) }, round.ended.map(\.app.item))
        }
        let first = try await asked(at: morning)
        #expect(first.endpoints.sorted() == ["own-updates", "updates"] && first.failed == [game])
        home.server.change { $0.answers["own-updates"] = $0.answers["updates"] }
        let second = try await asked(at: morning.adding(seconds: 60))
        #expect(second.endpoints == ["own-updates"] && second.failed.isEmpty)
        #expect(try await asked(at: morning.adding(seconds: 120)).endpoints == [])
        #expect(try await asked(at: morning.adding(days: 1)).endpoints == ["updates"])
    }

    @Test func `a failed update leaves the installed app unchanged`() async throws {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        try await home.install()
        SamplePackage(version: 2).serve(on: home.server) { $0.cut = 10 }
        home.server.change { $0.answers["updates"] = Self.entry("updates", version: 2) }
        let broken = try await home.session.update(into: home.folder.files, at: morning)
        #expect(broken.ended.map(\.error.code) == [.brokenDownload])
        #expect(home.session.device[game]?.version == AppleVersionID(number: 1))
        home.server.change { $0.isDown = true }
        await #expect(throws: DeviceError(.unreachable, "")) {
            try await home.session.update(into: home.folder.files, at: morning.adding(days: 1))
        }
        #expect(home.session.device.lastUpdateQuestion == morning)
    }

    // MARK: A new device

    /// Returns a new device with one app that isn't restored yet.
    private func restored() async throws -> DeviceAtHome {
        let home = try DeviceAtHome()
        SamplePackage().serve(on: home.server)
        try await home.install()
        let old = home.session.device
        var device = old.restored(model: old.model, systemVersion: old.systemVersion)
        device.marketplaceName = "Megabyte Mart"
        #expect(device.apps.isEmpty && device.id != old.id && !device.memory.isRedownload(game))
        home.session = DeviceSession(
            device, at: ServedMarketplace(device.server, transport: home.server, certificates: [:]), token: nil)
        return home
    }

    /// The marketplace's response, whether the placeholder icon stays, the error, and the alert's title.
    static let answers: [(String, Response?, stays: Bool, DeviceError.Code?, title: String?)] = [
        ("the app", entry("restores", version: 1), false, nil, nil),
        ("no token", entry("restores", version: 1, token: "null"), true, .badAnswer, nil),
        ("another version", entry("restores", version: 2), true, .badAnswer, nil),
        ("an empty answer", json(#"{"restores":[],"failures":[]}"#), true, .badAnswer, nil),
        (
            "gone",
            json(
                #"{"restores":[],"failures":[{"appleItemId":"6483539426","failure":{"code":404,"description":"x"}}]}"#),
            true, .notAvailable, "App Not Available"
        ),
        ("no token sent", json(#"{"code":"token_missing"}"#, 401), true, .signInNeeded, "Verification Required"),
        ("a token refused", json(#"{"code":"token_invalid"}"#, 403), true, .signInNeeded, "Verification Required"),
        ("a proxy's page", Response(status: 403, body: Array("<html>".utf8)), true, .refused, nil),
        ("nothing there", Response(status: 404, body: Array("<html>".utf8)), true, .refused, nil),
        ("a shop", json(#"{"code":"subscription_expired"}"#, 402), true, .paymentNeeded, nil),
        ("busy", json(#"{"code":"try_again"}"#, 503), true, .refused, nil),
        ("away", nil, true, .unreachable, nil),
    ]

    @Test(arguments: answers.indices)
    func `a failed restore keeps the placeholder icon and is reported as a removal only after a 404 for the app`(
        row: Int
    ) async throws {
        let (name, answer, stays, code, title) = Self.answers[row]
        let home = try await restored()
        home.server.change { rules in
            if let answer { rules.answers["restore"] = answer } else { rules.isDown = true }
        }
        let outcomes = await home.session.restore(into: home.folder.files, at: morning)
        #expect(outcomes.count == 1)
        #expect(home.session.device.waiting.map(\.item) == (stays ? [game] : []), "\(name)")
        #expect(home.session.device.apps.map(\.item) == (stays ? [] : [game]), "\(name)")
        guard case .waits(let error, let prompt) = outcomes[0].outcome else {
            #expect(code == nil, "\(name)")
            return
        }
        #expect(error.code == code, "\(name): \(error.message)")
        #expect(prompt?.words(app: "App 1", marketplace: "Mart").title == title, "\(name)")
        home.server.change {
            ($0.isDown, $0.answers["restore"]) = (false, Self.entry("restores", version: 1))
        }
        _ = await home.session.restore([game], into: home.folder.files, at: morning.adding(days: 7))
        #expect(home.session.device.apps.map(\.item) == [game] && home.session.device.waiting.isEmpty)
    }

    @Test func `the simulated prompts have the wording of the system's prompts`() {
        let result = [
            RestorePrompt.notAvailable, .verification(isMarketplace: true), .verification(isMarketplace: false),
        ]
        .map { $0.words(app: "App 1", marketplace: "Megabyte Mart").message }
        #expect(
            result == [
                "\"App 1\" not available from Megabyte Mart.", "Tap Continue and sign in to install this app.",
                "To install \"App 1\", you need to verify your account in Megabyte Mart.",
            ])
    }

    @Test func `an app that waits to be restored is stored in the device's folder`() async throws {
        let home = try await restored()
        try home.folder.write(home.session.device)
        #expect(try home.folder.read().waiting == home.session.device.waiting)
    }

    // MARK: Signing in

    /// The token endpoint's response, the bearer tokens that `restore` receives, and whether the app is installed.
    static let refreshes: [(Response, [String], comes: Bool)] = [
        (json(#"{"access_token":"new","refresh_token":"r2","token_type":"bearer"}"#), ["old", "new"], true),
        (json(#"{"error":"invalid_grant"}"#, 400), ["old"], false),
        (json("busy", 503), ["old"], false),
    ]

    @Test(arguments: refreshes.indices)
    func `a bearer token that the marketplace refuses is refreshed once`(row: Int) async throws {
        let (answer, bearers, comes) = Self.refreshes[row]
        let home = try await restored()
        let account = AccountID("ada")!
        let signedIn = home.folder.signedIn(account, on: home.session.device)
        try await signedIn.folder.keep(AccountTokens(access: "old", refresh: "r1"), of: account)
        home.server.change {
            $0.bearer = "new"
            $0.answers["restore"] = Self.entry("restores", version: 1)
            $0.answers["oauth-authorization-server"] = Self.json(
                #"{"authorization_endpoint":"https://127.0.0.1/sign-in","token_endpoint":"https://127.0.0.1/token"}"#)
            $0.answers["token"] = answer
        }
        home.session = DeviceSession(
            home.session.device, at: ServedMarketplace(home.session.device.server, transport: home.server),
            token: nil, signedIn: signedIn)
        _ = await home.session.restore(into: home.folder.files, at: morning)
        let seen = home.server.requests.filter { $0.url.hasSuffix("/restore") }.map { $0.headers["Authorization"] }
        #expect(seen == bearers.map { "Bearer \($0)" })
        #expect(home.session.device.waiting.isEmpty == comes)
        #expect(home.server.requests.filter { $0.url.hasSuffix("/token") }.count == 1)
        #expect(try signedIn.folder.tokens(of: account)?.access == (comes ? "new" : "old"))
    }

    @Test func `a package on another host is requested without the marketplace's bearer token`() async throws {
        let home = try DeviceAtHome()
        home.session = DeviceSession(
            home.session.device, at: ServedMarketplace(home.session.device.server, transport: home.server),
            token: "secret")
        let request = InstallOptions()
        _ = try? await home.session.install(
            .web("https://cdn.example/adp"), request, into: home.folder.files, at: morning)
        let other = home.server.requests.filter { $0.url.hasPrefix("https://cdn.example/") }
        #expect(!other.isEmpty && other.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test func `a sign-in form is filled in with account and password and keeps its hidden fields`() throws {
        let form = try #require(
            PageForm(
                """
                <form method="post" action="/oauth/mart/authorize?a=1&amp;b=2"><input type="hidden" name="sign_in"
                value="x&quot;y"><input id="a" name="account" value=""><input name="password" type="password">
                <input type="submit" name="go" value="Go"></form><form action="/other"></form>
                """))
        #expect(
            form.url(on: "https://mart.example:8443/oauth?x=/y")
                == "https://mart.example:8443/oauth/mart/authorize?a=1&b=2")
        let filled = form.filled { SignInProof.password("p").text(for: $0, "ada") }.map { "\($0.0)=\($0.1)" }
        #expect(filled == ["sign_in=x\"y", "account=ada", "password=p"])
    }

    @Test(
        arguments: zip(
            ["'/a'", "next", "", "https://other.example/x", "\"?b=1\""],
            [
                "https://mart.example/a", "https://mart.example/in/next", "https://mart.example/in/page",
                "https://other.example/x", "https://mart.example/in/page?b=1",
            ]))
    func `the action of a form is resolved against the page's URL`(action: String, url: String) {
        let form = PageForm("<form action=\(action)><input name=a></form>")
        #expect(form?.url(on: "https://mart.example/in/page?x=/y#z") == url)
        #expect(form?.fields.map(\.name) == ["a"])
    }

    @Test func `no form is found on a page without a form element`() {
        #expect(PageForm("<p>Closed</p>") == nil)
    }
}
