import Foundation
import Testing

@testable import TenureClient

@Suite struct MachineIDFileTests {
    let folder: TemporaryFolder
    let good = "4b1c9a0e7d5f4e2a8c3b6d9f0a1e2c3d"

    init() throws { folder = try TemporaryFolder() }

    @Test func `a device's identifier is the machine id in the machine-id file`() throws {
        let path = try folder.write(good + "\n", to: "machine-id")
        let device = try MachineIDFile.identity(at: [path])
        #expect(device.source == .machineID)
        #expect(device.binding == (try ThisDevice(explicit: good)).binding)
    }

    @Test func `D-Bus's machine id is used if systemd's file is missing or empty`() throws {
        let second = try folder.write(good, to: "dbus")
        let empty = try folder.write("\n", to: "empty")
        for first in [folder.file("absent"), empty, second + "/below-a-file"] {
            #expect(try MachineIDFile.identity(at: [first, second]).source == .machineID)
        }
    }

    @Test func `systemd's machine id takes precedence over D-Bus's`() throws {
        let first = try folder.write(good, to: "machine-id")
        let second = try folder.write(String(good.reversed()), to: "dbus")
        let device = try MachineIDFile.identity(at: [first, second])
        #expect(device.binding == (try ThisDevice(explicit: good)).binding)
    }

    @Test(arguments: [
        ("", DeviceIDError.Code.absent), ("\n", .absent), ("uninitialized\n", .absent),
        ("00000000000000000000000000000000", .shared), ("ffffffffffffffffffffffffffffffff", .shared),
        ("b08dfa6083e7567a1921a715000001fb\n", .shared), ("88544b92092430bc5d3fbbffc12a2f04", .shared),
        ("4b1c9a0e7d5f4e2a8c3b6d9f0a1e2c3", .unusable), ("4b1c9a0e7d5f4e2a8c3b6d9f0a1e2c3d0", .unusable),
        ("4B1C9A0E7D5F4E2A8C3B6D9F0A1E2C3D", .unusable), ("4b1c9a0e-7d5f-4e2a-8c3b-6d9f0a1e2c3d", .unusable),
        ("not hexadecimal", .unusable),
    ])
    func `a machine id that is absent, used by many devices or malformed is refused with a code for each case`(
        text: String, code: DeviceIDError.Code
    ) throws {
        try expect(text, isRefusedAs: code)
    }

    @Test func `a file of 8 KB is refused as a machine id`() throws {
        try expect(String(repeating: "4b", count: 4000), isRefusedAs: .unusable)
    }

    private func expect(_ text: String, isRefusedAs code: DeviceIDError.Code) throws {
        let path = try folder.write(text, to: "machine-id")
        let error = #expect(throws: DeviceIDError.self) { try MachineIDFile.identity(at: [path]) }
        #expect(error?.code == code)
        #expect(error?.message.contains("identifier") == true || error?.message.contains("machine id") == true)
        if text.count > 20 { #expect(error?.message.contains(text) == false) }
    }

    @Test func `without a machine id file, the error suggests systemd-machine-id-setup`() throws {
        let error = #expect(throws: DeviceIDError.self) {
            try MachineIDFile.identity(at: [folder.file("one"), folder.file("two")])
        }
        #expect(error?.code == .absent)
        #expect(error?.message.contains("systemd-machine-id-setup") == true)
    }

    @Test func `an unreadable machine id file is reported as unreadable, not as absent`() throws {
        try FileManager.default.createDirectory(atPath: folder.file("a-folder"), withIntermediateDirectories: false)
        let error = #expect(throws: DeviceIDError.self) { try MachineIDFile.identity(at: [folder.file("a-folder")]) }
        #expect(error?.code == .unreadable)
    }
}
