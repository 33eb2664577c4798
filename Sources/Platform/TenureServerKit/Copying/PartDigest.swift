import TenureCrypto
import TenureStore

/// The digest of a part of a store. It depends only on the part's content, not on the database engine.
public struct PartDigest: Sendable, Hashable {
    /// The part's name: a table's name, or `catalog` for the tables of the catalog together.
    public let part: String
    /// The number of rows, without those that have the catalog's version numbers.
    public let rows: Int
    /// The SHA-256 hash of the rows in key order.
    public let digest: [UInt8]
}

/// Computes the digests of all parts from pages of rows.
final class PartDigests {
    private let parts: [String]
    private var rows: [String: Int] = [:]
    private var hashes: [String: RunningSHA256] = [:]

    init(_ tables: [TableShape]) {
        parts = tables.map(\.part).reduce(into: []) { parts, part in if !parts.contains(part) { parts.append(part) } }
    }

    /// Adds a page. Returns the number of counted rows in the page.
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
    /// Whether the table's rows are counted. Rows with the catalog's version numbers aren't counted.
    var isCounted: Bool { !keyColumns.isEmpty && self !== TenantVersion.table.shape }
}
