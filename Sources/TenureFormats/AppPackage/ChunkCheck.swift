import TenureCore
import TenureCrypto

/// Compares the bytes of an asset with its digests as they come, chunk by chunk.
package struct ChunkCheck {
    private let chunks: PackageManifest.Chunks?
    private var digest = RunningSHA256()
    /// Which chunk is being read, and how many bytes of it have come.
    private var index = 0
    private var filled: Int64 = 0

    /// Begins; without digests nothing is known of the bytes, and all of them will do.
    /// - Parameter place: How many bytes have come before, of which those of whole chunks were compared; the rest of them
    ///   are taken in again.
    package init(_ chunks: PackageManifest.Chunks?, from place: Int64 = 0) {
        self.chunks = chunks
        if let chunks { index = Int(place / chunks.size) }
    }

    /// Takes the next bytes in; answers the number of the first chunk that is not what it should be, counted from 1.
    package mutating func take(_ bytes: [UInt8]) -> Int? {
        guard let chunks else { return nil }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int(min(Int64(rest.count), chunks.size - filled)))
            digest.update(part.count == bytes.count ? bytes : Array(part))
            filled += Int64(part.count)
            rest = rest.dropFirst(part.count)
            if filled == chunks.size, !closes() { return index }
        }
        return nil
    }

    /// Ends the last chunk; answers its number when it is not what it should be.
    package mutating func end() -> Int? {
        guard chunks != nil, filled > 0 else { return nil }
        return closes() ? nil : index
    }

    private mutating func closes() -> Bool {
        defer {
            digest = RunningSHA256()
            filled = 0
        }
        index += 1
        guard let chunks, index <= chunks.digests.count else { return false }
        return digest.digest() == chunks.digests[index - 1].bytes
    }
}
