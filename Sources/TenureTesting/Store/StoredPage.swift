import TenureServer
import TenureStore

/// A page of a table as it was read for a copy.
struct StoredPage: Sendable {
    let table: TableShape
    let rows: [StoredRow]

    /// The rows, value by value in the order of the columns.
    var values: [[StoredValue]] {
        rows.map { row in table.columns.map { table.value(of: $0, in: row) } }
    }
}

extension Reading {
    /// Reads a table page by page, as copies do.
    func pages(of table: TableShape) async throws -> [StoredPage] {
        var pages: [StoredPage] = []
        while true {
            let rows = try await page(of: table, after: pages.last?.rows.last, limit: 5_000)
            if !rows.isEmpty { pages.append(StoredPage(table: table, rows: rows)) }
            if rows.count < 5_000 || table.keyColumns.isEmpty { return pages }
        }
    }
}

extension Store {
    /// All that the store holds now, table by table.
    func pages() async throws -> [StoredPage] {
        try await withSnapshot { snapshot in
            var pages: [StoredPage] = []
            for table in StoreSchema.tenure.tables { pages += try await snapshot.pages(of: table) }
            return pages
        }
    }

    /// All that the store holds now: the rows of each table by its name, value by value.
    func contents() async throws -> [String: [[StoredValue]]] {
        try await withSnapshot { snapshot in
            var contents: [String: [[StoredValue]]] = [:]
            for table in StoreSchema.tenure.tables {
                contents[table.name] = try await snapshot.pages(of: table).flatMap(\.values)
            }
            return contents
        }
    }

    /// Adopts pages in their order.
    func adopt(_ pages: [StoredPage]) async throws {
        for page in pages { try await adopt(page.rows, of: page.table) }
    }

    /// Lends a moment of the store.
    func withSnapshot<Result>(_ body: (any StoreSnapshot) async throws -> Result) async throws -> Result {
        let snapshot = try await snapshot()
        do {
            let result = try await body(snapshot)
            await snapshot.end()
            return result
        } catch {
            await snapshot.end()
            throw error
        }
    }
}
