import Foundation
import Glibc
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Mounting a small disk for the test needs root.
private let mayMount = geteuid() == 0

@Suite(.serialized, .enabled(if: mayMount, "mounting a small disk needs root"))
struct `A full disk` {
    @Test func `changes fail on a full disk, and no saved row is lost`() async throws {
        let folder = try TemporaryFolder()
        try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=2m") == 0)
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        try await store.set("before")
        try Data(repeating: 0, count: freeBytes(of: folder.path)).write(
            to: URL(fileURLWithPath: folder.file("ballast")))

        let failures = await withTaskGroup(of: StoreError?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do throws(StoreError) {
                        try await store.set("\(number)", bytes: 100_000)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for failure in failures {
            #expect(failure?.code == .full)
            #expect(failure?.message.contains("Free some space") == true)
        }
        #expect(try await store.setting("before") == [1])
        #expect(try await store.setting("0") == nil)

        try FileManager.default.removeItem(atPath: folder.file("ballast"))
        try await store.set("after")
        #expect(try await store.setting("after") == [1])
        #expect(try await store.faults() == [])
        await store.close()
    }

    @Test func `opening a store without space for the write-ahead log's index reports a full disk`() async throws {
        let folder = try TemporaryFolder()
        try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=2m") == 0)
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        try await store.set("before")
        await store.close()
        let ballast = URL(fileURLWithPath: folder.file("ballast"))
        try Data(repeating: 0, count: freeBytes(of: folder.path)).write(to: ballast)

        let error = #expect(throws: StoreError.self) { try SQLiteStore.open(.tenure, path: folder.file()) }
        #expect(error?.code == .full)

        try FileManager.default.removeItem(at: ballast)
        let again = try SQLiteStore.open(.tenure, path: folder.file())
        #expect(try await again.setting("before") == [1])
        await again.close()
    }

    @Test func `a backup that doesn't fit on the disk leaves no file behind`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        for number in 0..<10 { try await store.set("\(number)", bytes: 400_000) }
        let disk = folder.file("small")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try #require(mount("tmpfs", disk, "tmpfs", 0, "size=1m") == 0)
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let error = await #expect(throws: StoreError.self) {
            try await store.backup(to: "\(disk)/backup.db") { _ in }
        }
        #expect(error?.code == .full)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == [])
        await store.close()
    }

    private func freeBytes(of path: String) -> Int {
        var facts = statvfs()
        return statvfs(path, &facts) == 0 ? Int(facts.f_bavail * facts.f_frsize) : 0
    }
}
