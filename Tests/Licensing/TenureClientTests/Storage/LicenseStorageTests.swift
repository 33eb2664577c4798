import TenureCore
import TenureVault
import Testing

@testable import TenureClient

@Suite struct LicenseStorageTests {
    @Test(arguments: [
        (["XDG_DATA_HOME": "/data", "HOME": "/home/mia"], "/data/tenure/acme/notes"),
        (["HOME": "/home/mia"], "/home/mia/.local/share/tenure/acme/notes"),
        (["XDG_DATA_HOME": "", "HOME": "/home/mia"], "/home/mia/.local/share/tenure/acme/notes"),
        (["XDG_DATA_HOME": "relative", "HOME": "/home/mia"], "/home/mia/.local/share/tenure/acme/notes"),
    ])
    func `on Linux, the standard folder is in XDG_DATA_HOME, or in the home folder if that isn't an absolute path`(
        environment: [String: String], folder: String
    ) throws {
        #expect(try LicenseStorage.folder(of: .sample, environment) == folder)
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "home"]] as [[String: String]])
    func `without an absolute home folder, the standard storage is refused with the advice to specify a folder`(
        environment: [String: String]
    ) throws {
        let device = try ThisDevice(explicit: "device-1")
        let error = #expect(throws: VaultError.self) {
            try LicenseStorage.standard().vault(for: .sample, on: device, environment: environment)
        }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("Specify a folder") == true)
    }

    @Test func `a record's folder differs by tenant and product, and another device can't open the record`() throws {
        let home = try TemporaryFolder()
        let device = try ThisDevice(explicit: "device-1")
        for (number, product) in [ProductRef.sample, .other, .otherTenant].enumerated() {
            let vault = try LicenseStorage.standard().vault(
                for: product, on: device, environment: ["HOME": home.path])
            #expect(try vault.load() == nil)
            try vault.replace([UInt8(number)])
            #expect(try vault.load() == [UInt8(number)])
        }
        let other = try LicenseStorage.standard().vault(
            for: .sample, on: try ThisDevice(explicit: "device-2"), environment: ["HOME": home.path])
        let error = #expect(throws: VaultError.self) { try other.load() }
        #expect(error?.code == .foreign)
    }

    @Test func `a folder that the app specifies is used unchanged`() throws {
        let home = try TemporaryFolder()
        let device = try ThisDevice(explicit: "device-1")
        try LicenseStorage.folder(home.file("own")).vault(for: .sample, on: device).replace([1])
        #expect(try home.names == ["own"])
    }
}
