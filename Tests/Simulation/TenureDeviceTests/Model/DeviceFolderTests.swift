import Foundation
import TenureCore
import Testing

@testable import TenureDevice

struct DeviceFolderTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/tenure-device-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    private func liveDevice() async throws -> Device {
        var device = newDevice()
        device.account = AccountID("ada")
        device.tokenFile = "/run/token"
        device.clockFile = "/run/clock"
        var session = DeviceSession(
            device, at: ServedMarketplace(device.server, transport: FakeMarketplace()), token: nil)
        for item in [game, chess] { _ = try await session.install(wanted(item), bundleID: "com.example", at: morning) }
        _ = try await session.runDailyJob(at: morning)
        return session.device
    }

    @Test func `a device is unchanged after saving and loading`() async throws {
        let device = try await liveDevice()
        try await withFolder { path in
            try DeviceFolder(path).create(device)
            #expect(try DeviceFolder(path).read() == device)
        }
    }

    @Test func `a second device in one folder is refused`() async throws {
        try await withFolder { path in
            try DeviceFolder(path).create(newDevice())
            #expect(throws: DeviceError.self) { try DeviceFolder(path).create(newDevice()) }
        }
    }

    @Test func `the error about a folder without a device says how to create one`() throws {
        let error = try #require(throws: DeviceError.self) { try DeviceFolder("/nowhere").read() }
        #expect(error.message.contains("tenure device new"))
    }

    @Test func `a device whose stored license was changed can't be loaded`() async throws {
        let device = try await liveDevice()
        try await withFolder { path in
            try DeviceFolder(path).create(device)
            let file = path + "/device.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let license = try #require(text.firstRange(of: "\"license\":\""))
            // The payload starts after the header, which is about 150 characters of base64.
            let index = text.index(license.upperBound, offsetBy: 400)
            let other = text[index] == "A" ? "B" : "A"
            let changed = text[..<index] + other + text[text.index(after: index)...]
            try String(changed).write(toFile: file, atomically: true, encoding: .utf8)
            let error = try #require(throws: DeviceError.self) { try DeviceFolder(path).read() }
            #expect(error.code == .badFolder)
        }
    }

    @Test(arguments: ["", "{}", "[]", #"{"v":2}"#])
    func `a device folder with an invalid device file can't be loaded`(text: String) async throws {
        try await withFolder { path in
            try DeviceFolder(path).create(newDevice())
            try text.write(toFile: path + "/device.json", atomically: true, encoding: .utf8)
            #expect(throws: DeviceError.self) { try DeviceFolder(path).read() }
        }
    }
}
