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
    @Test func `after a rotation the new key signs the next response, and the old key stays published`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        try await rotate(vendor)
        let answer = await vendor.validate("NOTE-PRO0-0000-0001", instance)
        #expect(number(answer.lease("kid")) == 2)
        let keyset = await vendor.get("/acme/.well-known/keylight-keys")
        #expect(number(keyset.body["primary_kid"]) == 2)
        #expect(kids(keyset) == [1, 2])
    }

    @Test func `an old key stays published until the leases that it signed have expired`() async throws {
        let vendor = try await Vendor()
        try await rotate(vendor)
        vendor.clock.advance(seconds: 30 * 86_400 + 299)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == [1, 2])
        vendor.clock.advance(seconds: 1)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == [2])
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

    @Test func `an old key stays published for the longest lease duration that a policy allowed while the key signed`()
        async throws
    {
        let vendor = try await Vendor()
        for days in [365, 7, 40, 7] { try await vendor.apply(Self.catalog(leaseDays: days)) }
        #expect(try await vendor.apply(Self.catalog(leaseDays: 7)).isEmpty, "applying it twice changes nothing")
        try await rotate(vendor)
        vendor.clock.advance(seconds: 365 * 86_400 + 299)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == [1, 2])
        vendor.clock.advance(seconds: 1)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == [2])

        // While the second key signed, no policy allowed longer leases than the current ones do.
        try await rotate(vendor)
        #expect(try await vendor.store.signingKeys().map(\.status) == [.retired, .retiring, .primary])
        vendor.clock.advance(seconds: 30 * 86_400 + 300)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == [3])
    }

    @Test func `a restored backup publishes a signing key until the leases signed since the backup have expired`()
        async throws
    {
        let vendor = try await Vendor(Self.catalog(leaseDays: 7))
        let copy = try SQLiteStore.inMemory(.tenure)
        _ = try await CopyStore(from: vendor.store, to: copy, tables: StoreSchema.tenure.tables)
            .copy(report: { _, _, _ in })
        // For a short time, a policy allows leases of a year.
        for days in [365, 7] { try await vendor.apply(Self.catalog(leaseDays: days)) }

        let outcome = try await carryOver(from: vendor.store, to: copy, at: vendor.clock.now())
        #expect(outcome.map { "\($0.kind): \($0.act)" } == ["lease key: published longer"])
        #expect(try await copy.signingKeys() == vendor.store.signingKeys())
        #expect(try await carryOver(from: vendor.store, to: copy, at: vendor.clock.now()).isEmpty)

        // A key that the copy publishes for longer keeps its span.
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
        try await RestoreReplay(FeatureSet.tenure.restoreExclusions).replay(
            from: later, to: copy, at: now, report: { _, _ in }
        ).items
    }

    @Test func `an old key stays published until the content grants that it signed have expired`() async throws {
        let vendor = try await Vendor(
            Self.catalog(leaseDays: 7, content: #"{"id": "a", "expiresAfterDays": 90}"#))
        try await rotate(vendor)
        vendor.clock.advance(seconds: 90 * 86_400 + 299)
        #expect(kids(await vendor.get("/content/acme/v1/keys")) == [1, 2])
        vendor.clock.advance(seconds: 1)
        #expect(kids(await vendor.get("/content/acme/v1/keys")) == [2])
    }

    @Test func `a signing key of content grants that never end stays published until it is withdrawn`() async throws {
        let vendor = try await Vendor(Self.catalog(leaseDays: 7, content: #"{"id": "a"}"#))
        try await vendor.apply(Self.catalog(leaseDays: 7, content: #"{"id": "a", "expiresAfterDays": 1}"#))
        let first = try #require(await vendor.store.signingKeys().first).kid
        #expect(try await withdraw(first, vendor) == .signs)
        try await rotate(vendor)
        vendor.clock.advance(days: 3_000)
        try await rotate(vendor)
        #expect(kids(await vendor.get("/content/acme/v1/keys")) == [1, 2, 3])
        #expect(try await withdraw(first, vendor) == .withdrawn(isNew: true))
        #expect(kids(await vendor.get("/content/acme/v1/keys")) == [2, 3])
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == [2, 3])
        #expect(try await withdraw(first, vendor) == .withdrawn(isNew: false))
        #expect(try await withdraw("k9", vendor) == .unknown)
        let prepared = try #require(try await prepare(vendor))
        #expect(try await withdraw(prepared.key.kid, vendor) == .prepared)
    }

    private func withdraw(_ kid: String, _ vendor: Vendor) async throws -> LeaseKeyWithdrawal {
        try await vendor.licensing().withdrawLeaseKey(kid, of: try #require(TenantID("acme")))
    }

    @Test func `a prepared key is published, signs nothing, and is the next to sign`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        let prepared = try #require(try await prepare(vendor))
        #expect(prepared.isNew && LeaseKey.number(of: prepared.key.kid) == 2)
        let again = try #require(try await prepare(vendor))
        #expect(!again.isNew && again.key == prepared.key)
        let keyset = await vendor.get("/acme/.well-known/keylight-keys")
        #expect(number(keyset.body["primary_kid"]) == 1 && kids(keyset) == [1, 2])
        #expect(number(await vendor.validate("NOTE-PRO0-0000-0001", instance).lease("kid")) == 1)

        try await rotate(vendor)
        #expect(number(await vendor.validate("NOTE-PRO0-0000-0001", instance).lease("kid")) == 2)
        #expect(try await vendor.store.preparedKeys().isEmpty)
        let keys = try await vendor.store.signingKeys()
        #expect(keys.map(\.publicKey).last == prepared.key.publicKey && keys.map(\.status) == [.retiring, .primary])
        try await rotate(vendor)
        #expect(kids(await vendor.get("/acme/.well-known/keylight-keys")) == [1, 2, 3])
        #expect(try await prepare(vendor, "nobody") == nil)
    }

    @Test
    func `a restored backup and its original store give their next signing keys different ids`()
        async throws
    {
        let vendor = try await Vendor()
        let copy = try SQLiteStore.inMemory(.tenure)
        _ = try await CopyStore(from: vendor.store, to: copy, tables: StoreSchema.tenure.tables)
            .copy(report: { _, _, _ in })
        try await rotate(vendor)
        try await rotate(copy, of: vendor)
        let (lost, restored) = (try await vendor.store.signingKeys(), try await copy.signingKeys())
        #expect(lost.map { LeaseKey.number(of: $0.kid) } == [1, 2])
        #expect(restored.map { LeaseKey.number(of: $0.kid) } == [1, 2])
        #expect(lost[0].kid == restored[0].kid && lost[1].kid != restored[1].kid)
    }

    @Test(arguments: [("k1", 1), ("k12", 12), ("k12-q7d2", 12), ("k3-0000", 3)])
    func `a signing key's number is read from its name, with or without random characters`(kid: String, number: Int) {
        #expect(LeaseKey.number(of: kid) == number)
    }

    @Test func `a key rotation keeps the name of a former key that has no random characters`()
        async throws
    {
        let vendor = try await Vendor()
        let key = try #require(await vendor.store.signingKeys().first)
        let former = try LeaseKey.make(for: key.tenant, named: "k7", under: vendor.master, at: key.createdAt)
        var old = former
        old.status = .retired
        try await vendor.store.save([.insert(old)])
        try await rotate(vendor)
        let names = try await vendor.store.signingKeys().map(\.kid)
        #expect(names.contains("k7") && names.contains { $0.hasPrefix("k8-") && $0.utf8.count == 7 })
    }

    @Test func `a new signing key gets the next number even after older keys were retired`() async throws {
        let vendor = try await Vendor()
        for _ in 0..<3 {
            try await rotate(vendor)
            vendor.clock.advance(days: 40)
        }
        let keys = try await vendor.store.signingKeys()
        #expect(keys.map { LeaseKey.number(of: $0.kid) } == [1, 2, 3, 4])
        #expect(keys.map(\.status) == [.retired, .retired, .retiring, .primary])
    }

    @Test func `a catalog can't be decrypted with another master key`() async throws {
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
        try await vendor.licensing().prepareLeaseKey(of: try #require(TenantID(tenant)))
    }

    private func rotate(_ vendor: Vendor) async throws { try await rotate(vendor.store, of: vendor) }

    private func rotate(_ store: any Store, of vendor: Vendor) async throws {
        let catalog = try await CatalogCache(store: store, master: vendor.master)
        let keys = try await LicensingContext(catalog: catalog, clock: vendor.clock)
            .rotateLeaseKey(of: TenantID("acme")!)
        #expect(keys != nil)
    }

    /// Returns the numbers in the names of a keyset's keys.
    private func kids(_ keyset: Answer) -> [Int] {
        guard case .array(let keys)? = keyset.body["keys"] else { return [] }
        return keys.compactMap { key in if case .object(let members) = key { number(members["kid"]) } else { nil } }
    }

    private func number(_ kid: JSONValue?) -> Int? {
        if case .string(let kid)? = kid { LeaseKey.number(of: kid) } else { nil }
    }
}
