import TenureCore
import TenureCrypto

/// Compares an asset's bytes with its digests as they arrive, chunk by chunk.
package struct ChunkCheck {
    private let chunks: PackageManifest.Chunks?
    private var digest = RunningSHA256()
    /// The number of complete chunks so far, and the bytes received of the current chunk.
    private var index = 0
    private var filled: Int64 = 0

    /// Begins a check; if `chunks` is `nil`, any bytes pass.
    /// - Parameter offset: How many bytes have already arrived. Whole chunks among them were compared; the caller
    ///   passes the rest to ``take(_:)`` again.
    package init(_ chunks: PackageManifest.Chunks?, from offset: Int64 = 0) {
        self.chunks = chunks
        if let chunks { index = Int(offset / chunks.size) }
    }

    /// Adds the next bytes; returns the number of the first chunk that doesn't match its digest.
    ///
    /// Chunks are counted from 1; the result is `nil` if all complete chunks match.
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

    /// Finishes the last chunk, which may be shorter; returns its number if it doesn't match its digest.
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
