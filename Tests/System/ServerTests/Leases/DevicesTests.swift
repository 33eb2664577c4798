import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureLicensingServer

@Suite struct `Devices that a holder manages` {
    static let key = "NOTE-PRO0-0000-0001"
    static let catalog = Vendor.catalog.replacing(
        #"{"id": "pro", "activationLimit": 2, "entitlements""#,
        with: #"{"id": "pro", "activationLimit": 2, "selfRelease": {"cooldownDays": 10, "perYear": 2}, "entitlements""#)

    /// A license on two devices, with a lease of the first device.
    struct Household {
        let vendor: Vendor
        let one, two: LeaseApp
        let first, second: ActivationID
        let lease: String

        init(_ catalog: String = catalog) async throws {
            vendor = try await Vendor(catalog)
            one = try await LeaseApp(vendor)
            two = try await LeaseApp(vendor, device: "b")
            first = try await one.activated(key).activation
            second = try await two.activated(key).activation
            lease = try await one.bytes(key, first)
        }

        func devices(_ lease: String? = nil) async throws -> LeaseApp.Said<TenureDevices> {
            try await one.send(
                "devices", "devices", key, first, LeaseApp.nonce(), #","lease":"\#(lease ?? self.lease)""#)
        }

        /// Returns the id under which other devices see an activation.
        func shown(_ activation: ActivationID) throws -> ActivationID { try vendor.names.shown(activation) }

        /// Releases a device by the id that other devices see.
        func release(_ target: ActivationID) async throws -> LeaseApp.Said<TenureDevices> {
            try await release(named: try shown(target))
        }

        /// - Parameter lease: The lease that is sent; `nil` for a new one.
        func release(
            named target: ActivationID, with lease: String? = nil
        ) async throws -> LeaseApp.Said<TenureDevices> {
            let sent = if let lease { lease } else { try await one.bytes(key, first) }
            return try await one.send(
                "devices/release", "devices", key, first, LeaseApp.nonce(),
                #","lease":"\#(sent)","release":"\#(target)""#)
        }
    }

    @Test func `a holder can list and release other devices, and a released device is refused with the reason`()
        async throws
    {
        let home = try await Household()
        let listed = try #require(try await home.devices().yes)
        let second = try home.shown(home.second)
        #expect(Set(listed.devices.map(\.activation)) == [home.first, second])
        #expect(listed.activationLimit == 2)
        #expect(listed.selfRelease == .init(left: 2, nextAt: nil))

        let after = try #require(try await home.release(home.second).yes)
        #expect(after.devices.map(\.activation) == [home.first])
        let next = home.vendor.clock.now().adding(days: 10)
        #expect(after.selfRelease == .init(left: 1, nextAt: next))
        #expect(try await home.two.renew(Self.key, home.second).no == "403 activation_released_by_holder")
        #expect(try await home.release(home.second).yes?.selfRelease?.left == 1, "a release counts once")
        let event = try await home.vendor.store.all(EventRecord.table.all).last?.event
        #expect(event?.kind == .activationReleased && event?.subject.activation == home.second)
        #expect(event?.facts.first == .init("releasedBy", .text("holder")))

        // A new device takes the released activation's share of the limit.
        let new = try await LeaseApp(home.vendor, device: "c").activated(Self.key).activation
        let early = try await home.release(new)
        #expect(early.no == "403 self_release_cooldown")
        home.vendor.clock.advance(days: 10)
        #expect(try await home.release(new).yes?.selfRelease?.left == 0)
        let third = try await home.two.activated(Self.key).activation
        home.vendor.clock.advance(days: 10)
        #expect(try await home.release(third).no == "403 self_release_used_up")
    }

    @Test func `an operator can undo a holder's release, which then doesn't count towards the release limit`()
        async throws
    {
        let home = try await Household()
        _ = try await home.release(home.second)
        let licensing = try await home.vendor.licensing()
        #expect(try await licensing.restoreActivation(named: home.second, by: .operator("test"))?.outcome == true)
        let second = try home.shown(home.second)
        #expect(try await licensing.restoreActivation(named: second, by: .operator("test"))?.outcome == false)
        #expect(
            try await licensing.restoreActivation(named: ActivationID(high: 1, low: 1), by: .operator("test")) == nil)
        #expect(try await home.two.renew(Self.key, home.second).yes?.status == .active)
        #expect(try await home.devices().yes?.selfRelease == .init(left: 2, nextAt: nil))
        _ = try await home.release(home.second)
        _ = try await LeaseApp(home.vendor, device: "c").activated(Self.key)
        #expect(
            try await licensing.restoreActivation(named: home.second, by: .operator("test"))?.refusal?.first.code
                == .activationLimitReached
        )
    }

    @Test func `listing 1,200 devices reads under 130 rows for the holder and about 2,000 for the vendor`() async throws
    {
        let catalog = Self.catalog.replacing(#""activationLimit": 2"#, with: #""activationLimit": null"#)
        let home = try await Household(catalog)
        let vendor = home.vendor
        let license = try #require(try await vendor.store.activation(home.first)).license
        func activation(_ number: UInt64, releasedBy: Activation.Releaser? = nil) -> Activation {
            let at = vendor.clock.now().adding(seconds: Int64(number) - 3_000)
            return Activation(
                id: ActivationID(high: 7, low: number), license: license, identity: .anonymous, name: "\(number)",
                activatedAt: at, releasedAt: releasedBy.map { _ in at }, releasedBy: releasedBy)
        }
        try await vendor.save((1...1_198).map { RowWrite.insert(activation($0)) })
        try await vendor.save((1_201...2_400).map { RowWrite.insert(activation($0, releasedBy: .device)) })

        func rows(_ read: () async throws -> Void) async throws -> Int {
            let before = vendor.watched.rows
            try await read()
            return vendor.watched.rows - before
        }
        let list = try await rows {
            let listed = try #require(try await home.devices().yes)
            #expect(listed.devices.count == 100 && listed.total == 1_200)
            let shown = try home.shown(home.second)
            #expect(listed.devices.contains { $0.activation == shown })
        }
        #expect(list < 130)
        let licensing = try await vendor.licensing()
        let stored = try #require(try await vendor.store.licenses(matching: LicenseName(.id(license))).first)
        #expect(try await rows { _ = try await licensing.explain(stored) } < 20)
        let operators = try await rows {
            let devices = try await vendor.store.devices(of: license, includingReleased: true)
            #expect(devices.active.count == 1_000 && devices.activeCount == 1_200 && devices.hidden == 200)
            #expect(devices.released.count == 1_000 && devices.hasMoreReleased)
        }
        #expect(operators <= 2_002 + 2)
    }

    @Test func `a released activation is deleted a year after it stops counting towards the device limit`() async throws
    {
        let home = try await Household()
        let vendor = home.vendor
        _ = try await home.two.release(Self.key, home.second)
        try await vendor.store.recordSightings([(home.second, vendor.clock.now())])
        let purge = Purge(
            store: vendor.store, clock: vendor.clock, interval: .seconds(1), RetentionRule.releasedActivations)
        vendor.clock.advance(days: 366)
        _ = try await purge.turn(as: nil)
        #expect(try await vendor.store.activation(home.second) != nil, "it counted for 30 days")
        vendor.clock.advance(days: 31)
        _ = try await purge.turn(as: nil)
        #expect(try await vendor.store.activation(home.second) == nil)
        #expect(try await vendor.store.all(LastSeen.table.all).allSatisfy { $0.activation != home.second })
        #expect(try await vendor.store.activation(home.first) != nil)
        #expect(try await home.two.renew(Self.key, home.second).no == "403 activation_released")
        #expect(try await home.two.activate(Self.key).yes != nil)
    }

    @Test func `a holder can't release devices without a release rule in the policy`() async throws {
        let home = try await Household(Vendor.catalog)
        let listed = try #require(try await home.devices().yes)
        #expect(listed.devices.count == 2 && listed.selfRelease == nil)
        #expect(try await home.release(home.second).no == "403 self_release_off")
        #expect(try await home.two.renew(Self.key, home.second).yes != nil)
    }

    @Test func `a device without a valid lease, or of a suspended license, can't manage the license's devices`()
        async throws
    {
        let home = try await Household()
        let second = try home.shown(home.second)
        for lease in [try await home.two.bytes(Self.key, home.second), "a.b.c", home.lease + "A"] {
            #expect(try await home.devices(lease).unsigned == "422 lease_not_valid")
            #expect(try await home.release(named: second, with: lease).unsigned == "422 lease_not_valid")
        }
        #expect(try await home.two.renew(Self.key, home.second).yes != nil, "no device was released")
        home.vendor.clock.advance(days: 8)
        #expect(try await home.devices().unsigned == "422 lease_not_valid")
        #expect(try await home.devices(home.one.bytes(Self.key, home.first)).yes != nil)
        _ = try await home.vendor.act(.suspend, on: Self.key)
        #expect(try await home.devices().no == "403 license_suspended")
        #expect(try await home.release(home.second).no == "403 license_suspended")
    }

    @Test func `a device's internal id doesn't let another device release it`() async throws {
        let home = try await Household()
        #expect(try await home.release(named: home.second).yes?.devices.count == 2, "another device's own id")
        #expect(try await home.two.renew(Self.key, home.second).yes != nil)
        let events = try await home.vendor.store.all(EventRecord.table.all)
        let result = events.map(try home.vendor.names.shown).compactMap(\.event.subject.activation)
        let shown = [try home.shown(home.first), try home.shown(home.second)]
        #expect(Set(result) == Set(shown))
        #expect(try await home.release(named: home.first).yes?.devices.count == 1, "a device knows its own id")
    }

    @Test func `a holder can't release another license's device`() async throws {
        let home = try await Household()
        let stranger = try await LeaseApp(home.vendor, device: "d")
        let foreign = try await stranger.activated("NOTE-RENT-0000-0002").activation
        #expect(try await home.release(foreign).yes?.devices.count == 2)
        #expect(try await stranger.renew("NOTE-RENT-0000-0002", foreign).yes != nil)
    }

    @Test(arguments: [
        (#"{"cooldownDays": 10}"#, "needs perYear"), (#"{"perYear": 10}"#, "needs cooldownDays"),
        (#"{"cooldownDays": -1, "perYear": 1}"#, "from 0 to 365"),
        (#"{"cooldownDays": 1, "perYear": 0}"#, "from 1 to 100"), (#"{"x": 1}"#, "unknown field"), ("3", "object"),
    ])
    func `a malformed release rule is refused in a catalog file`(rule: String, message: String) throws {
        let file = Vendor.catalog.replacing(#""activationLimit": 2"#, with: #""selfRelease": \#(rule)"#)
        let error = #expect(throws: CatalogFileError.self) {
            try FeatureSet.tenure.catalogFile(parsing: Array(file.utf8))
        }
        #expect(error.map { "\($0)" }?.contains(message) == true)
    }

    @Test func `a dry run of apply shows a changed release rule`() async throws {
        let vendor = try await Vendor()
        let changes = try await vendor.apply(Self.catalog, options: .init(dryRun: true))
        #expect(changes.map(\.description).contains { $0.contains("selfRelease none -> 2 a year, 10 days apart") })
        try await vendor.apply(Self.catalog)
        #expect(try await vendor.apply(Self.catalog).isEmpty)
    }
}
