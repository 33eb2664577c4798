import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensingServer
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct KeyRotationTests {
    @Test func `a rotation counts at the next request, and the old lease still verifies`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        try await rotate(vendor)
        let answer = await vendor.validate("NOTE-PRO0-0000-0001", instance)
        #expect(answer.lease("kid") == .string("k2"))
        let keyset = await vendor.get("/acme/.well-known/keylight-keys")
        #expect(keyset.text("primary_kid") == "k2")
        #expect(kids(keyset) == ["k1", "k2"])
    }

    @Test func `an old key is published until everything it signed has ended`() async throws {
        let vendor = try await Vendor()
        try await rotate(vendor)
        vendor.clock.advance(seconds: 30 * 86_400 + 299)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == ["k1", "k2"])
        vendor.clock.advance(seconds: 1)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == ["k2"])
    }

    /// Returns the catalog with this lease duration in the first policy, and with a content policy if one is given.
    private static func catalog(leaseDays: Int, content: String? = nil) -> String {
        let catalog = Vendor.catalog.replacing(
            #"{"id": "pro", "activationLimit": 2,"#,
            with: #"{"id": "pro", "leaseDays": \#(leaseDays), "activationLimit": 2,"#)
        guard let content else { return catalog }
        return catalog.replacing(
            #""name": "Acme","#,
            with: #""name": "Acme", "content": {"policies": [\#(content)], "items": [{"id": "one", "policy": "a"}]},"#)
    }

    @Test func `a key is published as long as the longest policy of its time allowed`() async throws {
        let vendor = try await Vendor()
        for days in [365, 7, 40, 7] { try await vendor.apply(Self.catalog(leaseDays: days)) }
        #expect(try await vendor.apply(Self.catalog(leaseDays: 7)).isEmpty, "applying it twice changes nothing")
        try await rotate(vendor)
        vendor.clock.advance(seconds: 365 * 86_400 + 299)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == ["k1", "k2"])
        vendor.clock.advance(seconds: 1)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == ["k2"])

        // The second key has never signed for longer than the current policies allow.
        try await rotate(vendor)
        #expect(try await vendor.store.signingKeys().map(\.standing) == [.retired, .retiring, .primary])
        vendor.clock.advance(seconds: 30 * 86_400 + 300)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == ["k3"])
    }

    @Test func `an older copy that is restored keeps a key published for what it signed since`() async throws {
        let vendor = try await Vendor(Self.catalog(leaseDays: 7))
        let copy = try SQLiteStore.inMemory(.tenure)
        _ = try await CopyStore(from: vendor.store, to: copy, tables: StoreSchema.tenure.tables)(report: { _, _, _ in })
        // Leases last a year for a short time.
        for days in [365, 7] { try await vendor.apply(Self.catalog(leaseDays: days)) }

        let outcome = try await carryOver(from: vendor.store, to: copy, at: vendor.clock.now())
        #expect(outcome.map { "\($0.kind): \($0.act)" } == ["lease key: published longer"])
        #expect(try await copy.signingKeys() == vendor.store.signingKeys())
        #expect(try await carryOver(from: vendor.store, to: copy, at: vendor.clock.now()).isEmpty)

        // A copy with a longer span retains it.
        var key = try #require(try await copy.signingKeys().first)
        let former = key
        key.span = .endless
        try await copy.save([.replace(former, by: key)])
        _ = try await carryOver(from: vendor.store, to: copy, at: vendor.clock.now())
        #expect(try await copy.signingKeys().map(\.span) == [.endless])
    }

    private func carryOver(
        from later: any Store, to copy: any Store, at now: Timestamp
    ) async throws -> [RestoreExclusion.Item] {
        try await RestoreReplay(FeatureSet.tenure.restoreExclusions)(
            from: later, to: copy, at: now, report: { _, _ in }
        ).items
    }

    @Test func `grants of contents count`() async throws {
        let vendor = try await Vendor(
            Self.catalog(leaseDays: 7, content: #"{"id": "a", "expiresAfterDays": 90}"#))
        try await rotate(vendor)
        vendor.clock.advance(seconds: 90 * 86_400 + 299)
        #expect(kids(await vendor.get("/content/acme/v1/keys")) == ["k1", "k2"])
        vendor.clock.advance(seconds: 1)
        #expect(kids(await vendor.get("/content/acme/v1/keys")) == ["k2"])
    }

    @Test func `what signed grants without end is published until it is withdrawn`() async throws {
        let vendor = try await Vendor(Self.catalog(leaseDays: 7, content: #"{"id": "a"}"#))
        try await vendor.apply(Self.catalog(leaseDays: 7, content: #"{"id": "a", "expiresAfterDays": 1}"#))
        #expect(try await withdraw("k1", vendor) == .signs)
        try await rotate(vendor)
        vendor.clock.advance(days: 3_000)
        try await rotate(vendor)
        #expect(kids(await vendor.get("/content/acme/v1/keys")) == ["k1", "k2", "k3"])
        #expect(try await withdraw("k1", vendor) == .withdrawn(isNew: true))
        #expect(kids(await vendor.get("/content/acme/v1/keys")) == ["k2", "k3"])
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == ["k2", "k3"])
        #expect(try await withdraw("k1", vendor) == .withdrawn(isNew: false))
        #expect(try await withdraw("k9", vendor) == .unknown)
        _ = try await prepare(vendor)
        #expect(try await withdraw("k4", vendor) == .prepared)
    }

    private func withdraw(_ kid: String, _ vendor: Vendor) async throws -> RotateLeaseKey.Withdrawal {
        let catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
        return try await RotateLeaseKey(LicensingContext(catalog: catalog, clock: vendor.clock)).withdraw(
            kid, of: try #require(TenantID("acme")))
    }

    @Test func `a prepared key is published, signs nothing, and is the next to sign`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        let prepared = try #require(try await prepare(vendor))
        #expect(prepared.isNew && prepared.key.kid == "k2")
        let again = try #require(try await prepare(vendor))
        #expect(!again.isNew && again.key == prepared.key)
        let keyset = await vendor.get("/acme/.well-known/keylight-keys")
        #expect(keyset.text("primary_kid") == "k1" && kids(keyset) == ["k1", "k2"])
        #expect(await vendor.validate("NOTE-PRO0-0000-0001", instance).lease("kid") == .string("k1"))

        try await rotate(vendor)
        #expect(await vendor.validate("NOTE-PRO0-0000-0001", instance).lease("kid") == .string("k2"))
        #expect(try await vendor.store.preparedKeys().isEmpty)
        let keys = try await vendor.store.signingKeys()
        #expect(keys.map(\.publicKey).last == prepared.key.publicKey && keys.map(\.standing) == [.retiring, .primary])
        try await rotate(vendor)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == ["k1", "k2", "k3"])
        #expect(try await prepare(vendor, "nobody") == nil)
    }

    @Test func `names are never used twice`() async throws {
        let vendor = try await Vendor()
        for _ in 0..<3 {
            try await rotate(vendor)
            vendor.clock.advance(days: 40)
        }
        let keys = try await vendor.store.signingKeys()
        #expect(keys.map(\.kid) == ["k1", "k2", "k3", "k4"])
        #expect(keys.map(\.standing) == [.retired, .retired, .retiring, .primary])
    }

    @Test func `another master key opens nothing and says so`() async throws {
        let vendor = try await Vendor()
        let other = try MasterKey(bytes: [UInt8](repeating: 8, count: 32))
        let error = await #expect(throws: ServerError.self) {
            try await CatalogCache(store: vendor.store, master: other)
        }
        #expect(error?.code == .masterKeyWrong)
        #expect(!other.matches(checkValue: try vendor.master.checkValue()))
        #expect(vendor.master.matches(checkValue: try vendor.master.checkValue()))
    }

    private func prepare(_ vendor: Vendor, _ tenant: String = "acme") async throws -> (
        key: SigningKeyRecord.Prepared, isNew: Bool
    )? {
        let catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
        return try await RotateLeaseKey(LicensingContext(catalog: catalog, clock: vendor.clock)).prepare(
            try #require(TenantID(tenant)))
    }

    private func rotate(_ vendor: Vendor) async throws {
        let catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
        let keys = try await RotateLeaseKey(LicensingContext(catalog: catalog, clock: vendor.clock))(
            TenantID("acme")!)
        #expect(keys != nil)
    }

    private func kids(_ keyset: Answer) -> [String] {
        guard case .array(let keys)? = keyset.body["keys"] else { return [] }
        return keys.compactMap { key in
            if case .object(let members) = key, case .string(let kid)? = members["kid"] { kid } else { nil }
        }
    }
}
