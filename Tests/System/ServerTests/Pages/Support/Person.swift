import TenureCore
import TenureCrypto
import TenureHTTP
import TenureMarketplace
import TenureMarketplaceServer
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting

/// A person with a browser on the pages of one marketplace, with an in-memory database and a clock that tests move.
final class Person {
    let store: any Store
    let clock = ManualClock(at: SampleApps.now)
    let requestHandler: RequestHandler
    private(set) var cookie: String?

    static let password = "correct horse battery staple"

    /// Creates marketplaces for `acme` and `other`, the account `ada` with a password, and `bob` without one.
    init(marketplace: Marketplace = SampleApps.marketplace(), waiting limit: Int = 100) async throws {
        store = try SQLiteStore.inMemory(.tenure)
        let hash = try PasswordHash.make(of: Array(Self.password.utf8), passes: 1, memory: 8192)
        let other = TenantID("other")!
        var otherMarketplace = marketplace
        otherMarketplace.domain = "other.example"
        let (ada, bob) = (SampleApps.account, AccountRef(tenant: SampleApps.tenant, account: AccountID("bob")!))
        let saves: [RowWrite] = [
            .insert(TenantRow(id: SampleApps.tenant, name: "Acme")),
            .insert(MarketplaceRow(tenant: SampleApps.tenant, marketplace: marketplace)),
            .insert(TenantRow(id: other, name: "Other")),
            .insert(MarketplaceRow(tenant: other, marketplace: otherMarketplace)),
            .insert(Account(ref: ada, email: "Ada@example.com", passwordHash: hash, createdAt: SampleApps.now)),
            .insert(Account(ref: bob, createdAt: SampleApps.now)),
            .insert(
                Account(
                    ref: AccountRef(tenant: other, account: ada.account), passwordHash: hash, createdAt: SampleApps.now)
            ),
            .insert(SampleApps.grant()),
        ]
        let apps = marketplace.apps.values.flatMap { app in
            [SampleApps.tenant, other].flatMap { tenant -> [RowWrite] in
                [.insert(AppRow(tenant: tenant, app: app))]
                    + app.versions.values.map { .insert(VersionRow(tenant: tenant, item: app.item, version: $0)) }
                    + app.versions.values.flatMap { version in
                        version.keyedAssets.map { asset in
                            .insert(
                                AppAsset(
                                    tenant: tenant, ref: AssetRef(item: app.item, version: version.id, asset: asset),
                                    kind: .variant, keyBlob: [1], isSimulated: true))
                        }
                    }
            }
        }
        let master = try MasterKey(bytes: [UInt8](repeating: 7, count: 32))
        try await store.save(saves + apps + StoreSecrets.fresh(under: master).map { .insert($0) })
        let catalog = try await CatalogCache(store: store, master: master)
        let pages = ResolutionPages(
            MarketplaceContext(
                catalog: catalog, clock: clock, pool: try CryptoPool(threads: 1, limit: limit)),
            notices: [.simulated], behind: TrustedProxies(["unix"]) ?? .none,
            passwords: try PasswordTries())
        requestHandler = RequestHandler(
            pages.endpoints, under: catalog, metrics: Metrics(), log: RecordedLog(), stopwatch: { 0 },
            otherwise: Router.plainText)
    }

    func save(_ saves: RowWrite...) async throws { try await store.save(saves) }

    /// Creates a one-time link for an account, as an operator does.
    func link(_ text: String, seconds: Int64 = 600) async throws {
        let hash = Digest(SHA256.hash(Array(text.utf8)))!
        try await save(
            .insert(
                AccountCredential(
                    hash: hash, account: SampleApps.account, kind: .link, createdAt: clock.now(),
                    expiresAt: clock.now().adding(seconds: seconds))))
    }

    func get(_ path: String) async -> Response {
        let parts = path.split(separator: "?", maxSplits: 1)
        return await send(
            Request(
                method: "GET", path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
                headers: ["Host": "127.0.0.1"]))
    }

    /// Sends a form as a page of this server does.
    func post(_ path: String, _ fields: [String: String], _ headers: Headers = ["Sec-Fetch-Site": "same-origin"]) async
        -> Response
    {
        var all = headers
        all.add("Host", "127.0.0.1")
        all.add("Content-Type", "application/x-www-form-urlencoded")
        let body = fields.map { PagePath([], query: [("x", $0.value)]).text.replacingName(with: $0.key) }
        return await send(
            Request(method: "POST", path: path, headers: all, body: Array(body.joined(separator: "&").utf8)))
    }

    /// Signs in and stores the session's cookie.
    @discardableResult
    func signIn(
        _ name: String = "ada", _ password: String = Person.password, at tenant: String = "acme",
        from source: String? = nil
    ) async -> Response {
        var headers: Headers = ["Sec-Fetch-Site": "same-origin"]
        if let source { headers.add("X-Forwarded-For", source) }
        return await post(
            "/resolve/\(tenant)/sign-in", ["account": name, "password": password, "appleItemID": "6483539426"], headers)
    }

    /// Returns the form code from the session's page, or an empty text without a session.
    func code() async -> String {
        let page = ReadPage(await get("/resolve/acme").body.bytes)
        return page.all("input").first { $0.attributes["name"] == "code" }?.attributes["value"] ?? ""
    }

    func events() async throws -> [Event] {
        try await store.events(EventFilter(tenant: SampleApps.tenant), after: 0, limit: 1000).map(\.event)
    }

    func leaves() { cookie = nil }

    func takes(_ cookie: String?) { self.cookie = cookie }

    private func send(_ request: Request) async -> Response {
        var request = request
        if let cookie { request.headers.add("Cookie", cookie) }
        let response = await requestHandler.respond(to: request)
        if let field = response.headers["Set-Cookie"], let pair = field.split(separator: ";").first {
            cookie = field.contains("Max-Age=0") ? nil : String(pair)
        }
        return response
    }
}

extension String {
    /// Turns `?x=value` into `name=value`.
    fileprivate func replacingName(with name: String) -> String { name + dropFirst(2) }
}

extension Response {
    var text: String { String(decoding: body.bytes, as: UTF8.self) }
    var page: ReadPage { ReadPage(body.bytes) }
}
