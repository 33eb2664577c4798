public import TenureStore

extension SQLiteStore {
    /// The file is on this machine.
    public func time() async throws(StoreError) -> Int64? { nil }

    /// Checks pages, indexes, constraints and references; reads the whole file.
    public func integrityFaults() async throws(StoreError) -> [String] {
        try await lists.run { connection throws(StoreError) in
            let pages = try connection.once("PRAGMA quick_check") { row throws(StoreError) in
                try row.next(String.self)
            }
            let references = try connection.once("PRAGMA foreign_key_check") { row throws(StoreError) in
                let table = try row.next(String.self)
                row.skip()
                return "\(table): a row names one of \(try row.next(String.self)) that is not there"
            }
            return pages.filter { $0 != "ok" } + references
        }
    }
}
