import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import Testing

@Suite struct `The name and the system that a device reports` {
    static let key = "NOTE-PRO0-0000-0001"

    static func members(_ name: String, _ version: String) -> String {
        #","system":"\#(name)","systemVersion":"\#(version)""#
    }

    private func stored(_ activation: ActivationID, in vendor: Vendor) async throws -> String? {
        try await vendor.store.activation(activation)?.system?.text
    }

    @Test func `a reported operating system is stored, and a repeated activation updates it in the background`()
        async throws
    {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let first = try await app.activate(Self.key, reporting: Self.members("macOS", "14.6")).yes
        let activation = try #require(first?.envelope.activation)
        #expect(try await stored(activation, in: vendor) == "macOS 14.6")
        let events = try await vendor.store.all(EventRecord.table.all).count

        let again = try await app.activate(Self.key, reporting: Self.members("macOS", "15.1")).yes
        #expect(again?.envelope.activation == activation)
        _ = try await app.activate(Self.key)
        #expect(try await stored(activation, in: vendor) == "macOS 14.6", "repeating an activation writes nothing")
        // When services stop, they write their pending data first.
        try vendor.server.supervisor.start()
        #expect(await vendor.server.supervisor.stop(within: .seconds(60)))
        #expect(try await stored(activation, in: vendor) == "macOS 15.1", "a device may report nothing")
        #expect(try await vendor.store.all(EventRecord.table.all).count == events)
    }

    @Test(
        arguments: [
            (#","system":null,"systemVersion":null"#, nil), (#","systemVersion":"15.1""#, nil),
            (members("", "15.1"), nil),
            (members("macOS", ""), "macOS"), (members(String(repeating: "x", count: 10_240), "1"), nil),
            (members(#"mac\u0000OS"#, "15.1"), nil), (members(#"\u202eSOcam"#, "15.1"), nil),
            (members("macOS", #"15\u001b[2J"#), "macOS"), (members("<script>", "'&"), "<script> '&"),
        ] as [(String, String?)])
    func `a device is activated even if its reported operating system is missing, too long, unprintable or markup`(
        members: String, text: String?
    ) async throws {
        let vendor = try await Vendor()
        let lease = try await LeaseApp(vendor).activate(Self.key, reporting: members).yes
        let activation = try #require(lease?.envelope.activation)
        #expect(try await stored(activation, in: vendor) == text)
    }

    @Test func `a device's operating system is listed for the license's other devices`() async throws {
        let home = try await `Devices that a holder manages`.Household()
        let system = try #require(DeviceSystem(name: "macOS", version: "15.1"))
        try await home.vendor.store.recordReports([home.second: DeviceReport(name: nil, system: system)])
        let listed = try #require(try await home.devices().yes)
        let second = try home.shown(home.second)
        #expect(listed.devices.first { $0.activation == second }?.system?.text == "macOS 15.1")
        #expect(listed.devices.first { $0.activation == home.first }?.system == nil)
    }

    @Test(
        arguments: [
            (#""instance_name":"\#(String(repeating: "x", count: 300))""#, String(repeating: "x", count: 256)),
            (#""instance_name":"""#, DeviceReport.noName), (#""instance_name":" \n ""#, DeviceReport.noName),
            (#""instance_name":"Ada’s\nMac""#, "Ada’s Mac"),
        ])
    func `a device is activated over Keylight's API even if its name is empty, too long or has a line break`(
        member: String, name: String
    ) async throws {
        let vendor = try await Vendor()
        let answer = await vendor.post("/acme/notes/activate", #"{"license_key":"\#(Self.key)",\#(member)}"#)
        #expect(answer.status == 200)
        let activation = try #require(answer.text("instance_id").flatMap { ActivationID(text: $0) })
        #expect(try await vendor.store.activation(activation)?.name == name)
    }

    @Test func `a repeated activation over Keylight's API updates the device's name in the background`() async throws {
        let vendor = try await Vendor()
        let hash = String(repeating: "a", count: 64)
        let first = await vendor.activate(Self.key, name: "Old", hash: hash)
        let activation = try #require(first.text("instance_id").flatMap { ActivationID(text: $0) })
        #expect(await vendor.activate(Self.key, name: "New", hash: hash).text("instance_id") == "\(activation)")
        #expect(await vendor.activate(Self.key, name: "", hash: hash).status == 200)
        try vendor.server.supervisor.start()
        #expect(await vendor.server.supervisor.stop(within: .seconds(60)))
        #expect(try await vendor.store.activation(activation)?.name == "New")
    }

    @Test func `an activation is refused if the reported operating system isn't a string`() async throws {
        let app = try await LeaseApp(try await Vendor())
        for members in [#","system":1"#, #","system":"macOS","systemVersion":15.1"#] {
            #expect(try await app.activate(Self.key, reporting: members).unsigned == "422 field_invalid")
        }
    }

    @Test func `a renewal writes the device's reported name and operating system in the background`() async throws {
        let vendor = try await Vendor()
        let app = try await LeaseApp(vendor)
        let activation = try await app.activated(Self.key).activation
        let named = #","name":"Renamed""#
        let stranger = try await LeaseApp(vendor, device: "b")
        #expect(
            try await app.renew(Self.key, activation, reporting: named + Self.members("Ubuntu", "24.04")).yes != nil)
        #expect(
            try await stranger.renew(Self.key, activation, reporting: #","name":"Stolen""# + Self.members("Other", "1"))
                .no
                == "403 activation_other_device")
        #expect(try await stored(activation, in: vendor) == nil)
        // When services stop, they write their pending data first.
        try vendor.server.supervisor.start()
        #expect(await vendor.server.supervisor.stop(within: .seconds(60)))
        #expect(try await stored(activation, in: vendor) == "Ubuntu 24.04")
        #expect(try await vendor.store.activation(activation)?.name == "Renamed")
    }
}
