package import TenureStore

/// Opens stores with the program's schema. The program supplies the database engines.
package struct StoreEngines: Sendable {
    package let schema: StoreSchema
    /// Opens an SQLite database file. Creates a missing file if `creating` is set.
    package let sqlite: @Sendable (_ path: String, _ creating: Bool) throws(StoreError) -> any Store
    /// Opens a PostgreSQL database. `file` is the file that the URL was read from; `nil` if the URL came from an
    /// option.
    package let postgres:
        @Sendable (_ url: String, _ creating: Bool, _ file: String?, _ observer: ConnectionObserver?)
            async throws(StoreError) -> any Store
    /// Opens a PostgreSQL database only for reading, such as a former primary or a standby.
    package let openForReading: @Sendable (_ url: String) async throws(StoreError) -> any Store
    package let inMemory: @Sendable () throws(StoreError) -> any Store
    /// Returns the identity of a PostgreSQL database without its password.
    package let identity: @Sendable (_ url: String) throws(StoreError) -> String

    /// The SQLite engine's operations on whole database files.
    package let files: StoreEngines.Files
    /// Checks a store's integrity, including rules that constraints don't cover. Returns the problems.
    package let faults: @Sendable (any Store) async throws(StoreError) -> [String]

    package init(
        schema: StoreSchema,
        sqlite: @escaping @Sendable (_ path: String, _ creating: Bool) throws(StoreError) -> any Store,
        postgres:
            @escaping @Sendable (_ url: String, _ creating: Bool, _ file: String?, _ observer: ConnectionObserver?)
            async throws(StoreError) -> any Store,
        openForReading: @escaping @Sendable (_ url: String) async throws(StoreError) -> any Store,
        inMemory: @escaping @Sendable () throws(StoreError) -> any Store,
        identity: @escaping @Sendable (_ url: String) throws(StoreError) -> String, files: StoreEngines.Files,
        faults: @escaping @Sendable (any Store) async throws(StoreError) -> [String]
    ) {
        self.schema = schema
        self.sqlite = sqlite
        self.postgres = postgres
        self.openForReading = openForReading
        self.inMemory = inMemory
        self.identity = identity
        self.files = files
        self.faults = faults
    }

    /// Opens the store of an installation.
    ///
    /// - Parameter observer: Receives the connections of a shared database.
    package func open(
        _ location: StoreLocation, creating: Bool, observer: ConnectionObserver? = nil
    ) async throws(StoreError) -> any Store {
        switch location {
        case .folder(let path): try sqlite(DataFolder(path: path).database, creating)
        case .postgres(let url, let file): try await postgres(url, creating, file, observer)
        }
    }

    /// Returns a database's identity without its password; `nil` for a store in a folder.
    package func identity(of location: StoreLocation) throws(StoreError) -> String? {
        guard case .postgres(let url, _) = location else { return nil }
        return try identity(url)
    }
}
