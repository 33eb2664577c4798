import Foundation
import Glibc
import TenureCrypto
import TenureVault
import Testing

@testable import TenureClient

@Suite struct SealedFileDamageTests {
    let folder: TemporaryFolder
    let file: URL
    let whole: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        file = URL(filePath: folder.file("license"))
        try SealedFile(folder: folder.path, seal: .sample).replace(Array("a record".utf8))
        whole = Array(try Data(contentsOf: file))
    }

    private func fault(of bytes: [UInt8]) throws -> VaultError? {
        try Data(bytes).write(to: file)
        do throws(VaultError) {
            _ = try SealedFile(folder: folder.path, seal: .sample).load()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0x01, 0x80, 0xFF] as [UInt8])
    func `a record with any changed byte is reported as corrupted`(mask: UInt8) throws {
        for index in whole.indices {
            var changed = whole
            changed[index] ^= mask
            #expect(try fault(of: changed)?.code == .corrupted, "byte \(index)")
        }
        #expect(try fault(of: whole) == nil)
    }

    @Test func `a truncated or extended record is reported as corrupted`() throws {
        for count in whole.indices {
            #expect(try fault(of: Array(whole.prefix(count)))?.code == .corrupted, "\(count) bytes")
        }
        #expect(try fault(of: whole + [0])?.code == .corrupted)
        #expect(try fault(of: whole + whole)?.code == .corrupted)
    }

    @Test func `a record file over the size limit is reported as corrupted`() throws {
        let error = try fault(of: [UInt8](repeating: 0, count: 2 << 20))
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("larger than") == true)
    }

    @Test func `the error for a damaged record says what to do, and the record can be replaced`() throws {
        let error = try #require(try fault(of: []))
        #expect(error.message.contains("Activate the license key again"))
        #expect(error.message.contains(file.path))
        let vault = SealedFile(folder: folder.path, seal: .sample)
        #expect(throws: error) { try vault.update { _ in [1] } }
        try vault.replace([1])
        #expect(try vault.load() == [1])
    }

    @Test func `a record file of a newer version is reported as unreadable, not as corrupted`() throws {
        var later = Array(whole.prefix(SealHeader.length - SealHeader.checkLength))
        later[7] = 2
        later += SHA256.hash(later).prefix(SealHeader.checkLength)
        let error = try fault(of: later + [1, 2, 3])
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("newer version") == true)
    }
}
