import CSQLite
public import TenureStore

extension SQLiteStore {
    /// Takes hold of this moment: a read transaction for a file, a copy for a database in memory.
    ///
    /// While it is held, the log beside a file that others write to grows and is not copied back.
    public func snapshot() async throws(StoreError) -> any StoreSnapshot {
        let reading: Connection
        if let path {
            // A store that has been closed has no more moments.
            try connection.lend { _ in }
            reading = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
            try reading.execute(.setUpReader)
            try reading.run(.begin)
            // The transaction sees the state at its first read, not at its beginning.
            _ = try reading.readCatalogVersion()
        } else {
            reading = try Connection(path: ":memory:", flags: SQLITE_OPEN_READWRITE)
            try connection.lend { source throws(StoreError) in
                let copying = try Copying(from: source, to: reading)
                while try copying.step() < 1 {}
            }
        }
        return SQLiteSnapshot(on: reading)
    }
}
