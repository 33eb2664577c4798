import Foundation
import Glibc
import TenureCore
import TenureVault
import Testing

@testable import TenureClient

@Suite struct SealedFileTests {
    let folder: TemporaryFolder
    let record = Array("what must be remembered".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func vault(_ name: String = "license", sealedFor seal: RecordSeal = .sample) -> SealedFile {
        SealedFile(folder: folder.path, name: name, seal: seal)
    }

    @Test func `without a record nothing is loaded, and no folder is created`() throws {
        let vault = SealedFile(folder: folder.file("deep/er"), seal: .sample)
        #expect(try vault.load() == nil)
        #expect(try folder.names == [])
    }

    @Test(arguments: [0, 1, 4096, SealedFile.longestRecord])
    func `a sealed file returns a record of up to 1 MiB unchanged`(count: Int) throws {
        let record = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try vault().replace(record)
        #expect(try vault().load() == record)
    }

    @Test func `a sealed file refuses a record over 1 MiB and keeps its old record`() throws {
        try vault().replace(record)
        let error = #expect(throws: VaultError.self) {
            try vault().replace(Array(repeating: 0, count: SealedFile.longestRecord + 1))
        }
        #expect(error?.code == .unwritable)
        #expect(try vault().load() == record)
    }

    @Test func `a sealed file doesn't contain its record's text, and two files of the same record differ`() throws {
        try vault("one").replace(record)
        try vault("two").replace(record)
        let one = try Data(contentsOf: URL(filePath: folder.file("one")))
        #expect(one.firstRange(of: Data(record)) == nil)
        #expect(one != (try Data(contentsOf: URL(filePath: folder.file("two")))))
    }

    @Test func `a record's folder and files are accessible to their owner only, whatever the umask`() async throws {
        let path = folder.file("made/for/it")
        await #expect(processExitsWith: .success) { [path = path as String] in
            umask(0o777 & ~0o700)
            try SealedFile(folder: path, seal: .sample).replace([1])
            umask(0)
            try SealedFile(folder: path, seal: .sample).replace([2])
        }
        #expect(try SealedFile(folder: path, seal: .sample).load() == [2])
        for (path, mode) in [(path, 0o700), (path + "/license", 0o600), (path + "/license.lock", 0o600)] {
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            #expect(facts[.posixPermissions] as? Int == mode, "\(path)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 2)
    }

    @Test
    func `a sealed file's update closure receives the stored record, and its result replaces it unless it is nil`()
        throws
    {
        var seen: [[UInt8]?] = []
        let first = try vault().update { record in
            seen.append(record)
            return [1]
        }
        let second = try vault().update { record in
            seen.append(record)
            return nil
        }
        #expect(seen == [nil, [1]])
        #expect(first == [1])
        #expect(second == [1])
        #expect(try vault().update { ($0 ?? []) + [2] } == [1, 2])
        #expect(try vault().load() == [1, 2])
    }

    @Test func `a sealed file isn't created by an update closure that returns nil`() throws {
        #expect(try vault().update { _ in nil } == nil)
        #expect(try folder.names == ["license.lock"])
    }

    @Test func `a record copied to another device is refused as foreign, and the message says what to do`() throws {
        try vault().replace(record)
        let there = vault(sealedFor: RecordSeal(device: Array("another device".utf8), product: .sample))
        let error = try #require(#expect(throws: VaultError.self) { try there.load() })
        #expect(error.code == .foreign)
        #expect(error.message.contains("another device"))
        #expect(error.message.contains("activate the license key here"))
        #expect(throws: error) { try there.update { _ in [9] } }
        #expect(try vault().load() == record)
    }

    @Test func `another product's record is refused as foreign, and the message says why`() throws {
        try vault().replace(record)
        for product in [ProductRef.other, .otherTenant] {
            let error = #expect(throws: VaultError.self) {
                try vault(sealedFor: RecordSeal(device: RecordSeal.sampleDevice, product: product)).load()
            }
            #expect(error?.code == .foreign)
            #expect(error?.message.contains("another product") == true)
        }
    }

    @Test func `a device can replace a sealed file that another device wrote`() throws {
        try vault().replace(record)
        let there = vault(sealedFor: RecordSeal(device: Array("another device".utf8), product: .sample))
        try there.replace([1])
        #expect(try there.load() == [1])
    }

    @Test func `neither an error message nor a printed seal reveals the record`() throws {
        try vault().replace(record)
        let file = URL(filePath: folder.file("license"))
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: file)
        let error = #expect(throws: VaultError.self) { try vault().load() }
        #expect(error?.message.contains("remembered") == false)
        #expect("\(RecordSeal.sample)" == "RecordSeal")
    }
}
