import Foundation
import TenureCrypto
import TenureFormats
import Testing

@testable import TenurePackages

/// The faults that are reported for the folder of an assembled package.
@Suite struct AssembledPackageTests {
    private func faults(_ change: (URL) throws -> Void) throws -> [String]? {
        let folder = URL.temporaryDirectory.appending(path: "assembled-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["variant", "delta"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let asset = Array(UInt8(0)..<10)
        let digests = [asset[..<6], asset[6...]].map { "\"\(Hex.encode(SHA256.hash(Array($0))))\"" }
        let manifest = PackageLayoutTests.manifest.replacing(
            "\"compressedSize\": 10, \"uncompressedSize\": 20, \"hashes\": []",
            with: """
                "compressedSize": 10, "uncompressedSize": 20, "hashes": [{"algorithm": "sha256", "chunkSize": 6,
                 "encryptedChunkDigests": [\(digests.joined(separator: ","))]}]
                """)
        try Data(manifest.utf8).write(to: folder.appending(path: "manifest.json"))
        try Data("signed".utf8).write(to: folder.appending(path: "signature"))
        try Data(asset).write(to: folder.appending(path: PackageLayoutTests.variant))
        try Data(asset[..<5]).write(to: folder.appending(path: PackageLayoutTests.delta))
        try change(folder)
        var last: Int64 = 0
        let checked = try AssembledPackage.faults(in: folder.path()) { done, total in
            #expect(done > last && done <= total)
            last = done
        }
        return checked?.faults.map { "\($0.kind.rawValue) \($0.path)" }
    }

    @Test func `the folder of a correct package has no fault`() throws {
        #expect(try faults { _ in } == [])
    }

    @Test(arguments: [(0, 1), (5, 1), (6, 2), (9, 2)])
    func `a changed byte of a package's file is reported as a wrong chunk of that file`(
        index: Int, chunk: Int
    ) throws {
        let found = try faults { folder in
            var bytes = Array(UInt8(0)..<10)
            bytes[index] ^= 0x80
            try Data(bytes).write(to: folder.appending(path: PackageLayoutTests.variant))
        }
        #expect(found == ["chunk \(PackageLayoutTests.variant)"])
    }

    @Test func `a package's file whose size differs from the manifest is reported once`() throws {
        let found = try faults { try Data([1]).write(to: $0.appending(path: PackageLayoutTests.variant)) }
        #expect(found == ["size \(PackageLayoutTests.variant)"])
    }

    @Test func `only the missing manifest is reported for a folder without one`() throws {
        #expect(
            try faults { try FileManager.default.removeItem(at: $0.appending(path: "manifest.json")) }
                == ["manifest manifest.json"])
        #expect(try AssembledPackage.faults(in: #filePath) { _, _ in } == nil)
    }
}
