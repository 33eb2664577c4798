import TenureCrypto
import TenureServerKit
import TenureStore

/// What a part of a store came to when it was read: two parts that hold the same come to the same.
public struct PartDigest: Sendable, Hashable {
    /// Which part: a table, or the tables of the catalog together.
    public let part: String
    /// How many rows it has. Versions of the catalog are none.
    public let rows: Int
    /// SHA-256 over the rows in the order of their keys.
    public let digest: [UInt8]
}

/// Comes to the digests of all parts while their pages pass by.
final class PartDigests {
    private let parts: [String]
    private var rows: [String: Int] = [:]
    private var hashes: [String: RunningSHA256] = [:]

    init(_ tables: [TableShape]) {
        parts = tables.map(\.part).reduce(into: []) { parts, part in if !parts.contains(part) { parts.append(part) } }
    }

    /// Adds a page; answers how many rows it counts for.
    func add(_ page: [StoredRow], of table: TableShape) -> Int {
        var canonical = CanonicalBytes()
        for row in page { canonical.append(row, of: table) }
        let count = table.isCounted ? page.count : 0
        rows[table.part, default: 0] += count
        hash(of: table.part).update(canonical.bytes)
        return count
    }

    /// The digests, in the order of the parts.
    var digests: [PartDigest] {
        parts.map { part in PartDigest(part: part, rows: rows[part] ?? 0, digest: hash(of: part).digest()) }
    }

    private func hash(of part: String) -> RunningSHA256 {
        if let hash = hashes[part] { return hash }
        let hash = RunningSHA256()
        hashes[part] = hash
        return hash
    }
}

extension TableShape {
    /// Whether its rows count as something that is copied: the catalog's versions do not.
    var isCounted: Bool { !keyColumns.isEmpty && self !== TenantVersion.table.shape }
}
