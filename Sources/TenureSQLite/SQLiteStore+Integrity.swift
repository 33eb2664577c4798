public import TenureStore

extension SQLiteStore {
    /// The file is on this machine.
    public func time() async throws(StoreError) -> Int64? { nil }

    /// Checks pages, indexes against their tables, constraints and references.
    public func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] {
        let name = table.map { "('\($0.name)')" } ?? ""
        return try await lists.run { connection throws(StoreError) in
            // Unlike the quick check this one finds a row that its index no longer leads to.
            let pages = try connection.once("PRAGMA integrity_check\(name)") { row throws(StoreError) in
                try row.next(String.self)
            }
            let references = try connection.once("PRAGMA foreign_key_check\(name)") { row throws(StoreError) in
                let table = try row.next(String.self)
                row.skip()
                return "\(table): a row names one of \(try row.next(String.self)) that is not there"
            }
            return pages.filter { $0 != "ok" } + references
        }
    }
}
