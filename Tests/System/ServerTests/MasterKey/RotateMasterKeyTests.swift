import TenureCore
import TenureCrypto
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// A change of the master key, in one process with a server that has the current key.
@Suite struct RotateMasterKeyTests {
    private static let present = [UInt8](repeating: 7, count: 32)
    private static let next = [UInt8](repeating: 8, count: 32)
    private static let order = #"{"product": "notes", "policy": "pro"}"#

    /// Returns a shop whose store has a check value of its master key and a stored response.
    private func shop() async throws -> (Shop, rotation: RotateMasterKey, response: Answer) {
        let shop = try await Shop()
        let check = SettingRecord(name: MasterKey.checkValueSetting, value: try shop.vendor.master.checkValue())
        try await shop.vendor.save([.insert(check), .insert(StoreID.fresh())])
        let response = await shop.post("licenses", Self.order, key: "order-1")
        #expect(response.status == 201)
        return (shop, RotateMasterKey(shop.vendor.store, of: .tenure), response)
    }

    private func secrets(in store: any Store) async throws -> [any SealedRow] {
        var rows: [any SealedRow] = []
        func add<Row: SealedRow>(_ type: Row.Type) async throws { rows += try await store.all(Row.table.all) }
        for type in StoreSchema.tenure.sealedRows { try await add(type) }
        return rows.filter { $0.sealedBytes != nil }
    }

    private func faults(in vendor: Vendor, under key: [UInt8]) async throws -> [String] {
        try await InspectStore(vendor.store, of: .tenure).inspect(
            at: vendor.clock.now(), under: try MasterKey(bytes: key)
        ) { _, _ in }.faults.map(\.sentence).filter { $0.contains("decrypted") }
    }

    @Test func `after a change of the master key, only the new key decrypts the store's secrets`() async throws {
        let (shop, rotation, _) = try await shop()
        let all = try await secrets(in: shop.vendor.store).count
        #expect(all == 4, "a signing key, a response and two secrets of the store")
        #expect(try await faults(in: shop.vendor, under: Self.present) == [])

        let key = try await rotation.begin(from: Self.present, to: Self.next)
        try await rotation.encryptAnew(under: key) { _ in }
        try await rotation.finish(under: key, at: shop.vendor.clock.now())

        #expect(try await faults(in: shop.vendor, under: Self.next) == [])
        #expect(try await faults(in: shop.vendor, under: Self.present).count == all)
    }

    @Test
    func `a server that started with the former master key serves requests during and after the change to a new key`()
        async throws
    {
        let (shop, rotation, response) = try await shop()
        let names = try shop.vendor.names
        let device = ActivationID(high: 1, low: 2)
        let before = names.shown(device)
        func goesOn(_ number: Int) async throws {
            let again = await shop.post("licenses", Self.order, key: "order-1")
            #expect(again.status == 201 && again.body == response.body)
            let fresh = await shop.post("licenses", Self.order, key: "order-\(number)")
            let repeated = await shop.post("licenses", Self.order, key: "order-\(number)")
            #expect(fresh.status == 201 && fresh.body == repeated.body)
            #expect(await shop.vendor.activate("NOTE-PRO0-0000-0001", name: "Mac \(number)", hash: "a").status != 503)
        }
        let key = try await rotation.begin(from: Self.present, to: Self.next)
        try await goesOn(2)
        try await rotation.encryptAnew(under: key) { _ in }
        try await goesOn(3)
        try await rotation.finish(under: key, at: shop.vendor.clock.now())
        try await goesOn(4)
        #expect(try shop.vendor.names.shown(device) == before)
        #expect(try await faults(in: shop.vendor, under: Self.next) == [])
    }

    @Test func `a server that hasn't noticed the change of the master key decrypts values that the new key encrypted`()
        async throws
    {
        let (shop, rotation, response) = try await shop()
        let key = try await rotation.begin(from: Self.present, to: Self.next)
        try await rotation.encryptAnew(under: key) { _ in }
        #expect(await shop.post("licenses", Self.order, key: "order-1").body == response.body)
    }

    @Test func `once a change of the master key has begun, nothing is encrypted under the former key`() async throws {
        let (shop, rotation, _) = try await shop()
        let key = try await rotation.begin(from: Self.present, to: Self.next)
        try await rotation.encryptAnew(under: key) { _ in }
        #expect(await shop.post("licenses", Self.order, key: "order-2").status == 201)
        try await shop.vendor.apply(#"{"tenants":[{"id":"fresh","name":"Fresh","products":[]}]}"#)
        #expect(try await faults(in: shop.vendor, under: Self.next) == [])
    }

    @Test func `a change of the master key that was interrupted after any step is finished by repeating it`()
        async throws
    {
        for steps in 1...3 {
            let (shop, rotation, _) = try await shop()
            let before = try shop.vendor.names.shown(ActivationID(high: 1, low: 2))
            for _ in 0..<2 {
                let key = try await rotation.begin(from: Self.present, to: Self.next)
                if steps > 1 { try await rotation.encryptAnew(under: key) { _ in } }
                if steps > 2 { try await rotation.finish(under: key, at: shop.vendor.clock.now()) }
                if steps > 2 { break }
            }
            if steps < 3 {
                let key = try await rotation.begin(from: Self.present, to: Self.next)
                try await rotation.encryptAnew(under: key) { _ in }
                try await rotation.finish(under: key, at: shop.vendor.clock.now())
            }
            #expect(try await faults(in: shop.vendor, under: Self.next) == [])
            let catalog = try await CatalogCache(store: shop.vendor.store, master: try MasterKey(bytes: Self.next))
            #expect(try catalog.secrets.names.shown(ActivationID(high: 1, low: 2)) == before)
        }
    }

    @Test func `of two changes to different master keys, only the first can be finished`() async throws {
        let other = [UInt8](repeating: 9, count: 32)
        let (shop, rotation, _) = try await shop()
        let key = try await rotation.begin(from: Self.present, to: Self.next)
        var error = await #expect(throws: ServerError.self) {
            _ = try await rotation.begin(from: Self.present, to: other)
        }
        #expect(error?.code == .masterKeyChanged)
        try await rotation.encryptAnew(under: key) { _ in }
        let late = try MasterKey(bytes: other).decrypting(with: [MasterKey(bytes: Self.present)])
        error = await #expect(throws: ServerError.self) {
            try await rotation.finish(under: late, at: shop.vendor.clock.now())
        }
        #expect(error?.code == .masterKeyChanged)
        try await rotation.finish(under: key, at: shop.vendor.clock.now())
        error = await #expect(throws: ServerError.self) {
            _ = try await rotation.begin(from: Self.present, to: other)
        }
        #expect(error?.code == .masterKeyChanged)
        #expect(try await faults(in: shop.vendor, under: Self.next) == [])
    }

    @Test
    func `the former and the new master key open the catalog until a change is finished, then only the new one`()
        async throws
    {
        let (shop, rotation, _) = try await shop()
        func opens(_ key: [UInt8]) async -> Bool {
            (try? await CatalogCache(store: shop.vendor.store, master: MasterKey(bytes: key))) != nil
        }
        let key = try await rotation.begin(from: Self.present, to: Self.next)
        #expect(await opens(Self.present))
        #expect(await opens(Self.next))
        #expect(await !opens([UInt8](repeating: 9, count: 32)))
        try await rotation.encryptAnew(under: key) { _ in }
        try await rotation.finish(under: key, at: shop.vendor.clock.now())
        #expect(await !opens(Self.present))
        #expect(await opens(Self.next))
    }

    @Test func `a server that missed a change of the master key reports master_key_wrong with the change's date`()
        async throws
    {
        let (shop, rotation, _) = try await shop()
        let late = try await CatalogCache(store: shop.vendor.store, master: shop.vendor.master)
        let key = try await rotation.begin(from: Self.present, to: Self.next)
        try await rotation.encryptAnew(under: key) { _ in }
        try await rotation.finish(under: key, at: shop.vendor.clock.now())
        let error = await #expect(throws: ServerError.self) { try await late.refresh() }
        #expect(error?.code == .masterKeyWrong)
        #expect(error?.message.contains("\(shop.vendor.clock.now())") == true)
    }
}
