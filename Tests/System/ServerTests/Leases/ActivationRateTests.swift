import TenureCore
import TenureHTTP
import TenureLicensing
import TenureServerKit
import TenureStore
import TenureTesting
import TenureThreads
import Testing

@testable import TenureLicensingServer

@Suite struct `Limits on activations` {
    static let key = "NOTE-PRO0-0000-0001"
    static let machine = String(repeating: "a", count: 64)

    /// Activates and releases the same device `count` times. Returns the statuses of the activations.
    private func passes(_ count: Int, in vendor: Vendor, pausing seconds: Int64 = 0) async -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count {
            let answer = await vendor.activate(Self.key, hash: Self.machine)
            statuses.append(answer.status)
            if let instance = answer.text("instance_id") {
                #expect(await vendor.post("/acme/notes/deactivate", #"{"instance_id":"\#(instance)"}"#).status == 200)
            }
            vendor.clock.advance(seconds: seconds)
        }
        return statuses
    }

    @Test func `a device that is activated and released over and over is refused after thirty activations`()
        async throws
    {
        let vendor = try await Vendor()
        let events = try await vendor.store.all(EventRecord.table.all).count
        let statuses = await passes(1_000, in: vendor)
        #expect(statuses == Array(repeating: 200, count: 30) + Array(repeating: 429, count: 970))
        #expect(try await vendor.store.all(Activation.table.all).count == 30)
        #expect(try await vendor.store.all(EventRecord.table.all).count == events + 60)
    }

    @Test func `an app that is reinstalled ten times an hour for ten hours is activated each time`() async throws {
        let vendor = try await Vendor()
        #expect(Set(await passes(100, in: vendor, pausing: 360)) == [200])
    }

    @Test func `a device that exceeds its activation rate gets a retry time, and other devices aren't limited`()
        async throws
    {
        let vendor = try await Vendor()
        _ = await passes(29, in: vendor)
        vendor.clock.advance(seconds: 600)
        let held = try #require(await vendor.activate(Self.key, hash: Self.machine).text("instance_id"))
        #expect(await vendor.activate(Self.key, hash: Self.machine).text("instance_id") == held, "it's still active")
        _ = await vendor.post("/acme/notes/deactivate", #"{"instance_id":"\#(held)"}"#)

        let refused = await vendor.activate(Self.key, hash: Self.machine)
        #expect(refused.status == 429 && refused.code == "try_again")
        #expect(refused.headers["Retry-After"] == "3000")
        #expect(try await LeaseApp(vendor).activate(Self.key).unsigned == "429 try_again")
        #expect(await vendor.activate(Self.key, hash: String(repeating: "b", count: 64)).status == 200)
        #expect(await vendor.activate("NOTE-RENT-0000-0002", hash: Self.machine).status == 200)
        vendor.clock.advance(seconds: 3_000)
        #expect(await vendor.activate(Self.key, hash: Self.machine).status == 200)
    }

    @Test func `a license without a device limit can be activated on at most 600 devices a minute`() async throws {
        let vendor = try await Vendor(
            Vendor.catalog.replacing(#""pro", "activationLimit": 2"#, with: #""pro", "activationLimit": null"#))
        for number in 0..<600 {
            let name = number.isMultiple(of: 2) ? nil : String(repeating: "0", count: 60) + "\(1_000 + number)"
            #expect(await vendor.activate(Self.key, hash: name).status == 200)
        }
        let refused = await vendor.activate(Self.key, hash: Self.machine)
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "60")
        vendor.clock.advance(seconds: 60)
        #expect(await vendor.activate(Self.key, hash: Self.machine).status == 200)
    }
}

@Suite struct `Reported names and systems` {
    private let one = ActivationID(high: 0, low: 1)
    private let two = ActivationID(high: 0, low: 2)

    private func system(_ version: String, name: String? = nil) -> DeviceReport {
        DeviceReport(name: name, system: DeviceSystem(name: "macOS", version: version))
    }

    @Test func `a device's latest name and latest system are written together`() throws {
        var reports = PendingDeviceReports(limit: 10)
        reports.add(DeviceReport(name: "Old"), of: one)
        reports.add(system("14"), of: one)
        reports.add(DeviceReport(name: "New"), of: one)
        #expect(reports.takeAll() == [one: system("14", name: "New")])
    }

    @Test func `a device's report is written at most once an hour`() throws {
        var reports = PendingDeviceReports(limit: 10)
        let start = SteadyTime(nanoseconds: 5_000_000_000)
        reports.add(system("14"), of: one)
        reports.add(system("15"), of: one)
        #expect(reports.takeDue(at: start) == [one: system("15")])
        reports.add(system("14"), of: one)
        reports.add(system("16"), of: one)
        reports.add(system("14"), of: two)
        #expect(reports.takeDue(at: start.advanced(by: .seconds(60))) == [two: system("14")])
        let hour = start.advanced(by: PendingDeviceReports.pause)
        #expect(reports.takeDue(at: SteadyTime(nanoseconds: hour.nanoseconds - 1)).isEmpty)
        #expect(reports.takeDue(at: hour) == [one: system("16")])
        #expect(reports.takeDue(at: hour.advanced(by: .seconds(9_999))).isEmpty)
    }

    @Test func `once the limit of pending device reports is reached, another device's report is dropped`() throws {
        var reports = PendingDeviceReports(limit: 1)
        reports.add(system("14"), of: one)
        reports.add(system("14"), of: two)
        reports.add(system("15"), of: one)
        let start = SteadyTime(nanoseconds: 1)
        #expect(reports.takeDue(at: start) == [one: system("15")])
        reports.add(system("14"), of: two)
        #expect(reports.takeDue(at: start.advanced(by: .seconds(3_599))).isEmpty, "as many were written in this hour")
        #expect(reports.takeAll() == [two: system("14")])
        #expect(reports.takeAll().isEmpty)
    }
}
