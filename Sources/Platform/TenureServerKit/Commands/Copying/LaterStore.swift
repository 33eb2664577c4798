import TenureStore

/// A store that may have changed after the backup was made.
///
/// `store` is `nil` if it can't be opened. The original isn't modified: a store with an older schema is migrated in a
/// temporary copy.
struct LaterStore {
    let store: (any Store)?
    let fault: String?
    private let scratch: String?
    private let files: StoreEngines.Files

    /// Opens a store.
    ///
    /// If an SQLite file can't be opened, the result has no store, and its fault is the cause. If a PostgreSQL database
    /// can't be opened, this throws.
    ///
    /// - Parameter path: The path of the temporary copy without its ending, `.later`; `nil` for the store's own path.
    static func open(
        _ address: StoreAddress, beside path: String?, by engines: StoreEngines
    ) async throws -> LaterStore {
        let file: String
        switch address {
        case .postgres(let url):
            return LaterStore(
                store: try await engines.openForReading(url), fault: nil, scratch: nil,
                files: engines.files)
        case .folder(let folder): file = try DataFolder.existing(folder).database
        case .file(let name): file = name
        }
        let scratch = "\(path ?? file).later"
        do throws(StoreError) {
            let isBehind = try engines.files.isBehind(file)
            if isBehind { try engines.files.copy(file, scratch) }
            let store = try engines.sqlite(isBehind ? scratch : file, false)
            return LaterStore(store: store, fault: nil, scratch: isBehind ? scratch : nil, files: engines.files)
        } catch {
            engines.files.remove(scratch)
            return LaterStore(store: nil, fault: error.causeOfDamage, scratch: nil, files: engines.files)
        }
    }

    func close() async {
        await store?.close()
        if let scratch { files.remove(scratch) }
    }
}
