import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// An endpoint that only reads runs once if the store responds in place, and again after each read that waits.
@Suite struct `Reads that wait` {
    private struct Asked {
        let says: Comment
        let method: String
        let path: String
        var body = ""
    }

    private static func validation(_ says: Comment, _ key: String, _ instance: String) -> Asked {
        Asked(
            says: says, method: "POST", path: "/acme/notes/validate",
            body: #"{"license_key":"\#(key)","instance_id":"\#(instance)"}"#)
    }

    private static func send(_ asked: Asked, to vendor: Vendor) async -> (response: Response, isInPlace: Bool) {
        let parts = asked.path.split(separator: "?")
        let request = Request(
            method: asked.method, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
            headers: ["Content-Type": "application/json"], body: Array(asked.body.utf8), id: "r1")
        switch vendor.server.handler.handle(request) {
        case .response(let response): return (response, true)
        case .pending(_, let respond): return (await respond(), false)
        }
    }

    @Test func `a request whose store read has to wait gets the same response as one whose read doesn't wait`()
        async throws
    {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        let rented = try #require(await vendor.activate("NOTE-RENT-0000-0002").text("instance_id"))
        let soft = try #require(await vendor.activate("NOTE-SOFT-0000-0003").text("instance_id"))
        _ = try await vendor.act(.revoke, on: "NOTE-SOFT-0000-0003")
        vendor.clock.advance(days: 31)
        let nonce = String(repeating: "A", count: 22)
        let lease =
            #"{"nonce":"\#(nonce)","device":"\#(String(repeating: "0", count: 64))","licenseKey":"NOTE-PRO0-0000-0001","#
            + #""activation":"\#(instance)"}"#
        for requests in [
            Self.validation("valid", "NOTE-PRO0-0000-0001", instance),
            Self.validation("with characters that copying adds", "\u{200B}NOTE-PRO0-0000-0001", instance),
            Self.validation("in its grace period", "NOTE-RENT-0000-0002", rented),
            Self.validation("revoked", "NOTE-SOFT-0000-0003", soft),
            Self.validation("of another license", "NOTE-RENT-0000-0002", instance),
            Self.validation("of no license", "NOTE-NONE-0000-0000", instance),
            Self.validation("without a key", "", instance),
            Asked(says: "a lease of another device", method: "POST", path: "/v1/acme/notes/leases/renew", body: lease),
            Asked(says: "no product", method: "POST", path: "/acme/none/validate", body: "{}"),
            Asked(says: "settings", method: "GET", path: "/acme/notes/config"),
            Asked(says: "no settings", method: "GET", path: "/none/notes/config"),
            Asked(says: "terms", method: "GET", path: "/v1/acme/notes/leases/product?nonce=\(nonce)"),
            Asked(says: "keys", method: "GET", path: "/v1/acme/notes/leases/keyset?nonce=\(nonce)"),
        ] {
            vendor.watched.inPlaceReads = .max
            let inPlace = await Self.send(requests, to: vendor)
            vendor.watched.inPlaceReads = 0
            let waiting = await Self.send(requests, to: vendor)
            #expect(inPlace.isInPlace && !waiting.isInPlace, requests.says)
            #expect(inPlace.response == waiting.response, requests.says)
            // Only the first read returns in place. The later ones wait.
            vendor.watched.inPlaceReads = 1
            #expect(await Self.send(requests, to: vendor).response == inPlace.response, requests.says)
        }
    }

    @Test(arguments: [false, true])
    func `a validation after a catalog change has the new entitlements, whether or not its store read waits`(
        isSlow: Bool
    ) async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        try await vendor.apply(Vendor.catalog.replacing(#"["sync", "pro"]"#, with: #"["pro", "sync", "team"]"#))
        vendor.watched.inPlaceReads = isSlow ? 0 : .max
        let answer = await vendor.validate("NOTE-PRO0-0000-0001", instance)
        #expect(answer.lease("entitlements") == .array([.string("pro"), .string("sync"), .string("team")]))
    }

    /// Sends a request from one address, whose wrong keys are counted.
    private static func sendFromAddress(_ path: String, _ body: String, to vendor: Vendor) async -> Int {
        let request = Request(
            method: "POST", path: path, headers: ["Content-Type": "application/json"], body: Array(body.utf8), id: "r1",
            peer: .host(IPAddress(version4: 0x0A00_0001)))
        return await vendor.server.handler.respond(to: request).status
    }

    private static func sendWrongKey(to vendor: Vendor) async -> Int {
        let requests = validation("wrong", "NOTE-NONE-0000-0000", "00000000-0000-4000-8000-000000000000")
        return await sendFromAddress(requests.path, requests.body, to: vendor)
    }

    @Test func `a wrong key whose look-up waits is counted once`() async throws {
        let vendor = try await Vendor()
        vendor.watched.inPlaceReads = 0
        for attempt in 1...31 { #expect(await Self.sendWrongKey(to: vendor) == (attempt <= 30 ? 404 : 429)) }
    }

    @Test func `an activation in progress isn't refused when its source address reaches the limit of wrong keys`()
        async throws
    {
        let vendor = try await Vendor()
        let before = vendor.watched.changes
        vendor.watched.hold()
        async let activation = Self.sendFromAddress(
            "/acme/notes/activate", #"{"license_key":"NOTE-PRO0-0000-0001","instance_name":"Mac"}"#, to: vendor)
        while vendor.watched.changes == before { await Task.yield() }
        // The activation takes one of the 30 tries while it waits for the disk.
        for _ in 1...29 { #expect(await Self.sendWrongKey(to: vendor) == 404) }
        #expect(await Self.sendWrongKey(to: vendor) == 429)
        vendor.watched.letGo()
        #expect(await activation == 200)
    }

    @Test func `after a change of the catalog, an activation is created once, with the new entitlements`() async throws
    {
        let vendor = try await Vendor()
        let events = try await vendor.store.all(EventRecord.table.all).count
        try await vendor.apply(Vendor.catalog.replacing(#"["sync", "pro"]"#, with: #"["pro", "sync", "team"]"#))
        let answer = await vendor.activate("NOTE-PRO0-0000-0001")
        #expect(answer.lease("entitlements") == .array([.string("pro"), .string("sync"), .string("team")]))
        let created = try await vendor.store.all(EventRecord.table.all).dropFirst(events)
        #expect(created.count { $0.event.kind == .activationCreated } == 1)
    }

    @Test func `an activation is made once even if the clock moves during it`() async throws {
        let vendor = try await Vendor()
        vendor.clock.startTicking()
        let key = "NOTE-PRO0-0000-0001"
        let first = try #require(await vendor.activate(key).text("instance_id"))
        #expect(await vendor.post("/acme/notes/deactivate", #"{"instance_id":"\#(first)"}"#).status == 200)
        // The released device still counts, so the activation takes a second transaction with the time in it.
        #expect(await vendor.activate(key).status == 200)
        let events = try await vendor.store.all(EventRecord.table.all)
        #expect(events.count { $0.event.kind == .activationCreated } == 2)
        #expect(try await vendor.store.census().liveActivations == 1)
    }

    @Test(arguments: [0, 1, 2, .max])
    func `a device can be released with a replaced license key, however many of the store reads have to wait`(
        inPlaceReads: Int
    )
        async throws
    {
        let shop = try await Shop()
        let key = "NOTE-RENT-0000-0002"
        let app = try await LeaseApp(shop.vendor)
        let activation = try await app.activated(key).activation
        let found = await shop.post("licenses/find", #"{"licenseKey": "\#(key)"}"#)
        let id = try #require(found.first("licenses")?.text("id"))
        let replaced = await shop.post("licenses/\(id)/rekey", "{}")
        #expect(replaced.status == 200)
        shop.vendor.watched.inPlaceReads = inPlaceReads
        #expect(try await app.release(key, activation).yes != nil)
        #expect(try await shop.vendor.store.census().liveActivations == 0)
    }
}
