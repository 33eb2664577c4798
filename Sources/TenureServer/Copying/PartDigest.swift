import TenureCore
import TenureCrypto
public import TenureStore

/// What a part of a store came to when it was read: two parts that hold the same come to the same.
public struct PartDigest: Sendable, Hashable {
    /// Which part.
    public let part: StorePart
    /// How many rows it has; those of the catalog are counted as in ``TenureStore/StorePage/count``.
    public let rows: Int
    /// SHA-256 over the rows in the order of their keys.
    public let digest: [UInt8]
}

/// Comes to the digests of all parts while their pages pass by.
final class PartDigests {
    private var rows: [StorePart: Int] = [:]
    private var hashes: [StorePart: RunningSHA256] = [:]

    func add(_ page: StorePage) {
        var canonical = CanonicalBytes()
        canonical.append(page)
        rows[page.part, default: 0] += page.count
        hash(of: page.part).update(canonical.bytes)
    }

    /// The digests, in the order of the parts.
    var digests: [PartDigest] {
        StorePart.allCases.map { part in
            PartDigest(part: part, rows: rows[part] ?? 0, digest: hash(of: part).digest())
        }
    }

    private func hash(of part: StorePart) -> RunningSHA256 {
        if let hash = hashes[part] { return hash }
        let hash = RunningSHA256()
        hashes[part] = hash
        return hash
    }
}
