import Foundation
import Glibc
import TenureFiles
import TenureVault
import Testing

@testable import TenureClient

/// Whether the tests run as root, which mounting a small disk, changing owners and switching users require.
private let isRoot = geteuid() == 0
private let nobody: uid_t = 65534

@Suite(.serialized) struct SealedFileFaultTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var vault: SealedFile { SealedFile(folder: folder.path, seal: .sample) }

    private func fault(_ body: () throws -> Void) -> VaultError? {
        #expect(throws: VaultError.self, performing: body)
    }

    @Test func `a symbolic link isn't accepted as record, lock or folder`() throws {
        try vault.replace([1])
        let other = try folder.write("somebody's letter", to: "letter")
        for (name, code) in [("license", VaultError.Code.unreadable), ("license.lock", .unwritable)] {
            try FileManager.default.removeItem(atPath: folder.file(name))
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: other)
            let error = fault { try vault.update { _ in [2] } }
            #expect(error?.code == code)
            #expect(error?.message.contains("link") == true)
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        try FileManager.default.createSymbolicLink(atPath: folder.file("linked"), withDestinationPath: folder.path)
        let linked = SealedFile(folder: folder.file("linked"), seal: .sample)
        #expect(fault { _ = try linked.load() }?.code == .unreadable)
        #expect(fault { try linked.replace([1]) }?.code == .unwritable)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "somebody's letter")
    }

    @Test func `writing a record to a symbolic link replaces the link, not its target`() throws {
        let other = try folder.write("somebody's letter", to: "letter")
        for name in ["license", "license.new"] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: other)
        }
        try vault.replace([1])
        #expect(try vault.load() == [1])
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "somebody's letter")
    }

    @Test func `a pipe or folder in place of the record is refused without waiting for a writer`() throws {
        try #require(mkfifo(folder.file("license"), 0o600) == 0)
        #expect(fault { _ = try vault.load() }?.code == .unreadable)
        try FileManager.default.removeItem(atPath: folder.file("license"))
        try FileManager.default.createDirectory(atPath: folder.file("license"), withIntermediateDirectories: false)
        #expect(fault { _ = try vault.load() }?.code == .unreadable)
        #expect(fault { try vault.replace([1]) }?.code == .unwritable)
        #expect(try folder.names == ["license", "license.lock"])
    }

    @Test func `a file in place of the record's folder is reported as unreadable or unwritable`() throws {
        let file = SealedFile(folder: try folder.write("", to: "a-file"), seal: .sample)
        #expect(fault { _ = try file.load() }?.code == .unreadable)
        #expect(fault { try file.replace([1]) }?.code == .unwritable)
    }

    @Test func `a folder that others can write to isn't used`() throws {
        chmod(folder.path, 0o770)
        let error = fault { try vault.replace([1]) }
        #expect(error?.code == .unwritable)
        #expect(error?.message.contains("chmod go-w") == true)
        chmod(folder.path, 0o755)
        try vault.replace([1])
    }

    @Test(.enabled(if: isRoot, "changing owners needs root"))
    func `another user's record, lock or folder is refused`() throws {
        try vault.replace([1])
        for (name, code) in [("license", VaultError.Code.unreadable), ("license.lock", .unwritable)] {
            chown(folder.file(name), nobody, nobody)
            let error = fault { try vault.update { _ in [2] } }
            #expect(error?.code == code)
            #expect(error?.message.contains("belongs to user 65534") == true)
            chown(folder.file(name), 0, 0)
        }
        chown(folder.path, nobody, nobody)
        #expect(fault { _ = try vault.load() }?.code == .unreadable)
        chown(folder.path, 0, 0)
        #expect(try vault.load() == [1])
    }

    @Test(.enabled(if: isRoot, "mounting a small disk needs root"))
    func `a record that doesn't fit on the disk isn't written, and the old record stays`() throws {
        try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=256k,mode=700") == 0)
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        try vault.replace([1])
        let large = [UInt8](repeating: 7, count: 300_000)
        for _ in 0..<3 {
            let error = fault { try vault.replace(large) }
            #expect(error?.code == .unwritable)
            #expect(error?.message.contains("Free some space") == true)
            #expect(try vault.load() == [1])
            #expect(try folder.names == ["license", "license.lock"])
        }
        try vault.replace([2])
        #expect(try vault.load() == [2])
    }

    @Test func `a write beyond the file size limit fails, and the old record stays`() async throws {
        try vault.replace([1])
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            let vault = SealedFile(folder: path, seal: .sample)
            let error = #expect(throws: VaultError.self) { try vault.replace([UInt8](repeating: 7, count: 9000)) }
            #expect(error?.code == .unwritable)
            #expect(error?.message.contains("file size limit") == true)
            #expect(try vault.load() == [1])
        }
        #expect(try folder.names == ["license", "license.lock"])
    }

    @Test(.enabled(if: isRoot, "switching users needs root"))
    func `writing a sealed file to a read-only folder fails, and its old record can still be read`() async throws {
        try vault.replace([1])
        for name in ["", "license", "license.lock"] { chown(folder.file(name), nobody, nobody) }
        chmod(folder.path, 0o500)
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(setegid(65534) == 0)
            try #require(seteuid(65534) == 0)
            let vault = SealedFile(folder: path, seal: .sample)
            let error = #expect(throws: VaultError.self) { try vault.replace([2]) }
            #expect(error?.code == .unwritable)
            #expect(error?.message.contains("Give this user permission") == true)
            #expect(try vault.load() == [1])
            let below = SealedFile(folder: path + "/below", seal: .sample)
            #expect(throws: VaultError.self) { try below.replace([2]) }
        }
    }

    @Test func `a crash at any step of a write leaves the old record or the new one, and the next write succeeds`()
        async throws
    {
        for step in FileReplacement.Step.allCases {
            try vault.replace([1])
            let path = folder.path
            let isWritten = step == .written
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, isWritten = isWritten as Bool] in
                let vault = SealedFile(
                    folder: path, seal: .sample,
                    watching: { if $0 == (isWritten ? .written : .renamed) { kill(getpid(), SIGKILL) } })
                try vault.replace([2])
            }
            #expect(try vault.load() == (isWritten ? [1] : [2]))
            #expect(try folder.names.contains("license.new") == isWritten)
            #expect(try vault.update { ($0 ?? []) + [3] } == (isWritten ? [1, 3] : [2, 3]))
            #expect(try folder.names == ["license", "license.lock"])
        }
    }
}
