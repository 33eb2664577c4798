import TenureClient
import TenureLicensing
import Testing

/// When the client reports its operating system and the device's name.
@MainActor
@Suite struct ReportedSystemTests {
    let old = DeviceSystem(name: "macOS", version: "14.6")
    let new = DeviceSystem(name: "macOS", version: "15.1")

    @Test func `an activation reports the operating system, and a renewal reports it only after it has changed`()
        async throws
    {
        let app = App()
        app.issue()
        let manager = app.start(system: old)
        #expect(try await manager.activate("KEY-A") == .done)
        #expect(await manager.checkNow() == .done)
        #expect(app.vendor.reports == ["macOS 14.6", nil])

        let updated = app.start(system: new)
        app.goOffline()
        _ = await updated.checkNow()
        app.goOffline(false)
        app.clock.pass(86_400)
        #expect(await updated.checkNow() == .done)
        app.clock.pass(86_400)
        #expect(await updated.checkNow() == .done)
        #expect(app.vendor.reports == ["macOS 14.6", nil, "macOS 15.1", nil])
    }

    @Test func `after a refused renewal, the next renewal reports the changed operating system again`() async throws {
        let app = App()
        app.issue()
        #expect(try await app.start(system: old).activate("KEY-A") == .done)
        app.vendor.change { $0.licenses["KEY-A"]?.state = .suspended }
        let updated = app.start(system: new)
        for _ in 0..<2 {
            app.clock.pass(86_400)
            _ = await updated.checkNow()
        }
        #expect(app.vendor.reports == ["macOS 14.6", "macOS 15.1", "macOS 15.1"])
    }

    @Test
    func `an activation and each renewal report a device name of at most 256 bytes that isn't blank`() async throws {
        let app = App()
        app.issue()
        let long = String(repeating: "é", count: 200)
        #expect(try await app.start(name: long).activate("KEY-A") == .done)
        for (name, system) in [(" ", nil), ("", old), ("Ada’s Mac", old)] {
            app.clock.pass(86_400)
            #expect(await app.start(system: system, name: name).checkNow() == .done)
        }
        #expect(
            app.vendor.names == [String(repeating: "é", count: 128), "Unnamed device", "macOS", "Ada’s Mac"])
    }

    @Test func `over Keylight the operating system isn't reported`() async throws {
        let app = App(dialect: .keylight)
        app.issue()
        let manager = app.start(system: old)
        #expect(try await manager.activate("KEY-A") == .done)
        app.clock.pass(86_400)
        _ = await manager.checkNow()
        #expect(app.vendor.reports == [nil, nil])
    }
}
