import FoundationEssentials
package import TenureCommandLine
package import TenureStore

/// The address of a store on any engine: `sqlite:PATH` or `postgres://...`.
package enum StoreAddress: Sendable, Hashable, CustomStringConvertible {
    /// A data folder, which contains the database and the server's lock.
    case folder(String)
    /// A single database file, such as a backup.
    case file(String)
    /// A PostgreSQL database. Opening it fails if the URL contains a password.
    case postgres(url: String)

    /// Parses the text form; `nil` for any other text.
    ///
    /// If an SQLite path exists, it's a file or a folder according to the file system. A missing path is a file if it
    /// ends in `.sqlite`.
    package init?(text: String) {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(url: text)
            return
        }
        guard text.hasPrefix("sqlite:"), text != "sqlite:" else { return nil }
        let path = String(text.dropFirst("sqlite:".count))
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let isFile = exists ? !isFolder : path.hasSuffix(".sqlite")
        self = isFile ? .file(path) : .folder(path)
    }

    package var description: String {
        switch self {
        case .folder(let path), .file(let path): "sqlite:\(path)"
        case .postgres(let url): url
        }
    }
}

extension ArgumentReading where Value == StoreAddress {
    package static var storeAddress: ArgumentReading {
        ArgumentReading(show: { $0.description }) { text in
            guard let address = StoreAddress(text: text) else {
                throw UsageError(
                    "enter sqlite:PATH with a data folder or a database file, or postgres://USER@HOST/NAME")
            }
            return address
        }
    }
}

extension StoreEngines {
    /// Opens an existing store as the source of a copy.
    ///
    /// Unless `whileServing` is set, a data folder stays locked until this process ends, so that no server starts on
    /// the folder. On PostgreSQL, a running server can't be detected.
    package func openSource(_ address: StoreAddress, whileServing: Bool) async throws -> any Store {
        switch address {
        case .folder(let path):
            let folder = try DataFolder.existing(path)
            if !whileServing {
                try folder.takeLock(
                    orElse:
                        "A server is running on \(path), so the copy would lack the changes that it makes meanwhile. "
                        + "Stop it first, or add --while-serving if a snapshot is enough.")
            }
            return try sqlite(folder.database, false)
        case .file(let path):
            return try sqlite(path, false)
        case .postgres(let url):
            return try await postgres(url, false, nil, nil)
        }
    }

    /// Opens the store as the target of a copy, and creates a missing store. Throws if a server is running on its data
    /// folder.
    package func openTarget(_ address: StoreAddress) async throws -> any Store {
        switch address {
        case .folder(let path):
            let folder = try DataFolder.created(path)
            try folder.takeLock(orElse: "A server is running on \(path). Choose a folder that is not in use.")
            return try sqlite(folder.database, true)
        case .file(let path):
            return try sqlite(path, true)
        case .postgres(let url):
            return try await postgres(url, true, nil, nil)
        }
    }
}
