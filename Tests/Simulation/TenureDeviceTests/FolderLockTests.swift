import Foundation
import Glibc
import Testing

@testable import TenureDevice

@Suite struct FolderLockTests {
    private let folder = DeviceFolder(FileManager.default.temporaryDirectory.path + "/device-\(UUID().uuidString)")

    /// Whether another command could take the folder's lock now.
    private var isFree: Bool {
        let descriptor = open(folder.path + "/lock", O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    @Test func `a command that changes a device holds the device's lock until the change is saved`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.create(newDevice())
        #expect(isFree)
        func change() throws {
            let open = try OpenDevice(folder)
            #expect(!isFree)
            try open.save()
        }
        try change()
        #expect(isFree)
    }

    @Test func `locking a device folder that doesn't exist fails, and the error says how to create a device`() {
        let error = #expect(throws: DeviceError.self) { try folder.lock() }
        #expect(error?.code == .badFolder && error?.message.contains("tenure device new") == true)
    }
}
