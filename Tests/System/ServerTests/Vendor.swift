import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// A vendor's complete server in one process, with an in-memory database and a clock that tests move.
struct Vendor {
    /// The server's store, which makes each decision twice and requires both results to match.
    let watched: WatchedStore
    let clock = ManualClock(at: Timestamp(seconds: 1_800_000_000))
    let log = RecordedLog()
    let master: MasterKey
    let server: LicenseServer

    var store: any Store { watched }

    /// Converts between activations' ids and their public ids.
    var names: PublicNames { get throws { try server.catalog.secrets.names } }

    /// Starts the server with a catalog, by default one with two products and a few policies and keys.
    init(
        _ catalog: String = Vendor.catalog, randomness: Randomness = .system, rooms: [Feature] = FeatureSet.tenure.all,
        changesAtOnce: Int = 512, mail: (any MailTransport)? = nil
    ) async throws {
        let store = WatchedStore(try SQLiteStore.inMemory(.tenure), fault: FeatureSet.tenure.registry.fault(in:))
        watched = store
        master = try MasterKey(bytes: [UInt8](repeating: 7, count: 32))
        try await store.save(try StoreSecrets.fresh(under: master).map { .insert($0) })
        try await ApplyCatalog(.tenure, store: store, master: master, clock: clock).apply(
            try FeatureSet.tenure.catalogFile(parsing: Array(catalog.utf8)), by: .operator("test")
        ) { _, _ in }
        server = try await LicenseServer(
            FeatureSet(rooms), store: store, master: master, clock: clock, keepTime: nil, log: log,
            facts: ServerFacts(version: "test"), stopwatch: { 0 }, sightingsInterval: .seconds(60),
            sweepInterval: .seconds(60), baseURL: nil, folder: nil, mail: mail,
            behind: TrustedProxies(["unix"]) ?? .none, pool: nil, randomness: randomness,
            changesAtOnce: changesAtOnce)
    }

    /// Applies another catalog file and returns the changes.
    @discardableResult
    func apply(
        _ catalog: String, packages: GivenPackages = GivenPackages(), options: ApplyCatalog.Options = .init()
    ) async throws -> [PlannedChange] {
        var all: [PlannedChange] = []
        try await ApplyCatalog(.tenure, store: store, master: master, clock: clock).apply(
            try FeatureSet.tenure.catalogFile(parsing: Array(catalog.utf8), files: packages), options: options,
            by: .operator("test")
        ) { changes, _ in all += changes }
        return all
    }

    /// Saves rows directly, without a decision.
    func save(_ saves: [RowWrite]) async throws { try await store.save(saves) }

    func post(_ path: String, _ body: String, headers: Headers = ["Content-Type": "application/json"]) async -> Answer {
        let request = Request(method: "POST", path: path, headers: headers, body: Array(body.utf8), id: "r1")
        return Answer(await server.handler.respond(to: request))
    }

    func get(_ path: String, headers: Headers = [:]) async -> Answer {
        let parts = path.split(separator: "?", maxSplits: 1)
        let query = parts.count > 1 ? String(parts[1]) : ""
        let request = Request(method: "GET", path: String(parts[0]), query: query, headers: headers, id: "r1")
        return Answer(await server.handler.respond(to: request))
    }

    /// Returns the body of a response that isn't JSON.
    func text(_ path: String) async -> String {
        let response = await server.handler.respond(to: Request(method: "GET", path: path, id: "r1"))
        return String(decoding: response.body.bytes, as: UTF8.self)
    }

    func activate(_ key: String, name: String = "Mac", hash: String? = nil, product: String = "notes") async -> Answer {
        let machine = hash.map { #","machine_hash":"\#($0)""# } ?? ""
        return await post(
            "/acme/\(product)/activate", #"{"license_key":"\#(key)","instance_name":"\#(name)"\#(machine)}"#)
    }

    func validate(_ key: String, _ instance: String, product: String = "notes") async -> Answer {
        await post("/acme/\(product)/validate", #"{"license_key":"\#(key)","instance_id":"\#(instance)"}"#)
    }

    /// Returns when the device of an activation was last seen, according to the store.
    func lastSeen(_ id: ActivationID) async throws -> Timestamp? {
        guard let license = try await store.activation(id)?.license else { return nil }
        return try await store.devices(of: license, includingReleased: true).all
            .first { $0.activation.id == id }?.lastSeenAt
    }

    /// Performs an operator's action on the license with this key.
    func act(
        _ act: OperatorAct, because reason: StatedReason? = nil, on key: String
    ) async throws -> OperatorActOutcome {
        let license = try await store.findLicenses(key)[0]
        return try await licensing().perform(
            act, because: reason, on: license.id, by: .operator("test"))
    }

    /// Returns a context for use cases that run beside the server, with a catalog cache of its own.
    func licensing() async throws -> LicensingContext {
        LicensingContext(catalog: try await CatalogCache(store: store, master: master), clock: clock)
    }

    static let catalog = """
        {"tenants": [{"id": "acme", "name": "Acme", "products": [
          {"id": "notes", "keyPrefix": "NOTE", "trialDays": 14, "freeTier": true, "policies": [
            {"id": "pro", "activationLimit": 2, "entitlements": ["sync", "pro"]},
            {"id": "rent", "durationDays": 30, "graceDays": 2, "activationLimit": 1, "entitlements": ["pro"]},
            {"id": "soft", "durationDays": 30, "activationLimit": 1, "entitlements": ["pro"], "fallbackAccess": true}],
           "licenses": [
            {"key": "NOTE-PRO0-0000-0001", "policy": "pro"},
            {"key": "NOTE-RENT-0000-0002", "policy": "rent"},
            {"key": "NOTE-SOFT-0000-0003", "policy": "soft"}]},
          {"id": "draw", "keyPrefix": "DRAW", "sdkKey": "sdk_live_1", "policies": [{"id": "pro"}],
           "licenses": [{"key": "DRAW-PRO0-0000-0001", "policy": "pro"}]}]}]}
        """
}

extension Store {
    /// Saves rows directly, without a decision. If they include catalog rows, servers read the catalog again.
    func save(_ saves: [RowWrite]) async throws {
        try await perform(
            Transaction(versionForm.bind()) { results in
                guard saves.contains(where: \.table.changesAlone) else { return TransactionResult((), saves) }
                let version = results[versionForm.queries] ?? CatalogVersion(version: 0)
                return TransactionResult(
                    (), saves + [.replace(version, by: CatalogVersion(version: version.version + 1))])
            })
    }
}

private let versionForm = QueryPlan(isAlone: true) { query in query.row(CatalogVersion.table.key) }

/// An object in a response's body.
struct Entry {
    let body: [String: JSONValue]

    func text(_ name: String) -> String? {
        if case .string(let text)? = body[name] { text } else { nil }
    }
}

/// A response with its parsed body.
struct Answer {
    let status: Int
    let headers: Headers
    let bytes: [UInt8]
    let body: [String: JSONValue]

    init(_ response: Response) {
        status = response.status
        headers = response.headers
        bytes = response.body.bytes
        if case .object(let members)? = try? JSONValue(parsing: bytes) { body = members } else { body = [:] }
        // Checks for every test that the code of an error response is registered.
        if status >= 400, case .string(let code)? = body["code"] {
            #expect(FeatureSet.tenure.registry.codes.contains(code))
        }
        for reason in (try? FlatObject(scanning: bytes))?.objects("reasons").value ?? [] {
            let code = reason.string("code").value ?? ""
            #expect(FeatureSet.tenure.registry.fault(in: code, evidence: reason.evidence("evidence")) == nil)
        }
    }

    func text(_ name: String) -> String? {
        if case .string(let text)? = body[name] { text } else { nil }
    }

    var code: String? { text("code") }

    /// Returns the strings of a list in the body.
    func texts(_ name: String) -> [String] {
        guard case .array(let values)? = body[name] else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// Returns the objects of a list in the body.
    func all(_ name: String) -> [Entry] {
        guard case .array(let values)? = body[name] else { return [] }
        return values.compactMap { value in
            if case .object(let members) = value { Entry(body: members) } else { nil }
        }
    }

    func first(_ name: String) -> Entry? { all(name).first }

    /// The codes of the reasons, in order.
    var reasons: [String] {
        guard case .array(let reasons)? = body["reasons"] else { return [] }
        return reasons.compactMap { reason in
            if case .object(let members) = reason, case .string(let code)? = members["code"] { code } else { nil }
        }
    }

    /// Returns a member of the lease as JSON.
    func lease(_ name: String) -> JSONValue? {
        if case .object(let members)? = body["lease"] { members[name] } else { nil }
    }
}
