import TenureCore
import TenureCrypto
import Testing

@testable import TenureMarketplace

@Suite struct ChunkCheckTests {
    static let bytes = (0..<25).map { UInt8($0) }

    /// Returns the digests of the 25 bytes, in chunks of this length.
    static func chunks(of length: Int) throws -> PackageManifest.Chunks {
        let parts = stride(from: 0, to: bytes.count, by: length).map {
            Array(bytes[$0..<min($0 + length, bytes.count)])
        }
        return PackageManifest.Chunks(
            size: Int64(length), digests: try parts.map { try #require(Digest(SHA256.hash($0))) })
    }

    /// Returns the index of the first wrong chunk when the bytes arrive in pieces of this length.
    func first(wrongOf bytes: [UInt8], in pieces: Int, _ chunks: PackageManifest.Chunks?) -> Int? {
        var check = ChunkCheck(chunks)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            if let wrong = check.take(Array(bytes[start..<min(start + pieces, bytes.count)])) { return wrong }
        }
        return check.end()
    }

    @Test(arguments: [1, 4, 5, 6, 24, 25, 26], [1, 3, 5, 7, 10, 24, 25, 100])
    func `correct bytes of an asset pass the check, however they are split`(length: Int, pieces: Int) throws {
        #expect(first(wrongOf: Self.bytes, in: pieces, try Self.chunks(of: length)) == nil)
    }

    @Test(arguments: [(0, 1), (9, 1), (10, 2), (19, 2), (20, 3), (24, 3)], [1, 3, 10, 25])
    func `a changed byte of an asset is reported with its chunk`(index: (index: Int, chunk: Int), pieces: Int) throws {
        var bytes = Self.bytes
        bytes[index.index] ^= 1
        #expect(first(wrongOf: bytes, in: pieces, try Self.chunks(of: 10)) == index.chunk)
    }

    @Test func `missing or extra bytes at the end of an asset are reported with its last chunk`() throws {
        let chunks = try Self.chunks(of: 10)
        #expect(first(wrongOf: Array(Self.bytes.dropLast()), in: 7, chunks) == 3)
        #expect(first(wrongOf: Self.bytes + [0], in: 7, chunks) == 3)
        #expect(first(wrongOf: Self.bytes + [UInt8](repeating: 0, count: 6), in: 7, chunks) == 3)
    }

    @Test func `any bytes pass the check of an asset without digests`() {
        #expect(first(wrongOf: [1, 2, 3], in: 1, nil) == nil)
    }
}
