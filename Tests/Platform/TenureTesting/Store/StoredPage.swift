import TenureServerKit
import TenureStore

/// A page of a table as a copy reads it.
struct StoredPage: Sendable {
    let table: TableShape
    let rows: [StoredRow]

    /// The rows' values, in the order of the columns.
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
    /// Reads and decodes every row, and returns the number of rows by table.
    package func readEverything() async throws -> [String: Int] {
        try await pages().reduce(into: [:]) { $0[$1.table.name, default: 0] += $1.rows.count }
    }

    /// Reads the store's current contents, table by table.
    func pages() async throws -> [StoredPage] {
        try await withSnapshot { snapshot in
            var pages: [StoredPage] = []
            for table in StoreSchema.tenure.tables { pages += try await snapshot.pages(of: table) }
            return pages
        }
    }

    /// Returns the current rows of each table by the table's name, as lists of values.
    func contents() async throws -> [String: [[StoredValue]]] {
        try await withSnapshot { snapshot in
            var contents: [String: [[StoredValue]]] = [:]
            for table in StoreSchema.tenure.tables {
                contents[table.name] = try await snapshot.pages(of: table).flatMap(\.values)
            }
            return contents
        }
    }

    /// Writes pages into the store in their order.
    func adopt(_ pages: [StoredPage]) async throws {
        for page in pages { try await adopt(page.rows, of: page.table) }
    }

    /// Runs `body` with a snapshot of the store, which is released afterwards.
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
