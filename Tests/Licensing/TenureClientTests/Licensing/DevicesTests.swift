import TenureClient
import TenureLicensing
import Testing

/// The list of devices, which the server shows only to a device with a valid lease.
@MainActor
@Suite struct DevicesTests {
    private func lapsed() async throws -> (App, LicenseManager) {
        let app = App()
        app.issue()
        let manager = await app.launch()
        #expect(try await manager.activate("KEY-A") == .done)
        app.clock.pass(8 * Given.day)
        return (app, manager)
    }

    @Test func `a lease that has lapsed is renewed before the devices are listed`() async throws {
        let (app, manager) = try await lapsed()
        let held = try await manager.devices()
        #expect(held.devices.map(\.isThisOne) == [true])
        #expect(manager.state == .licensed)
        #expect(app.vendor.requests.suffix(2) == ["renew", "devices"])
    }

    @Test
    func `a lease that has lapsed only by the server's clock is renewed before the devices are listed`() async throws {
        let (app, manager) = try await lapsed()
        app.clock.turnWall(by: -8 * Given.day)
        let other = app.start()
        #expect(try await other.devices().devices.count == 1)
        #expect(app.vendor.requests.suffix(2) == ["renew", "devices"])
        _ = manager
    }

    @Test func `if listing devices fails for a reason other than the lease, the lease isn't renewed`() async throws {
        let (app, manager) = try await lapsed()
        #expect(try await manager.devices().devices.count == 1)
        app.vendor.change { $0.outage = RequestFailure(.misconfigured, "No.", code: "sdk_key_required") }
        let error = await #expect(throws: LicenseDevicesError.self) { try await manager.devices() }
        #expect(error?.code == .unreached)
        #expect(app.vendor.requests.suffix(2) == ["devices", "devices"])
    }

    @Test func `listing the devices of a revoked license reports the revocation`() async throws {
        let (app, manager) = try await lapsed()
        app.vendor.change { $0.licenses["KEY-A"]?.state = .revoked }
        let error = await #expect(throws: LicenseDevicesError.self) { try await manager.devices() }
        #expect(error?.code == .refused)
        #expect(error?.explanation.reasons.first?.code == "license_revoked")
    }

    @Test func `listing devices without a network reports that the server can't be reached`() async throws {
        let (app, manager) = try await lapsed()
        app.goOffline()
        let error = await #expect(throws: LicenseDevicesError.self) { try await manager.devices() }
        #expect(error?.code == .unreached)
        #expect(error?.explanation.reasons.first?.code == "server_unreached")
        #expect(app.vendor.requests.last != "devices")
    }

    @Test func `the total number of devices is reported even if not all are listed`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        #expect(try await manager.activate("KEY-A") == .done)
        let held = try await manager.devices()
        #expect(held.total == 205 && held.unlistedCount == 204)
        #expect(LicenseDevices(devices: held.devices, total: 0).unlistedCount == 0)
    }
}
