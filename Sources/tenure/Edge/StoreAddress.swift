import Foundation
import TenureCommandLine
import TenurePostgres
import TenureSQLite
import TenureServer
import TenureStore

/// A store of any engine, as a word: `sqlite:PATH` or `postgres://...`.
enum StoreAddress: Sendable, Hashable, CustomStringConvertible {
    /// A data folder, with the database and the lock of its server in it.
    case folder(String)
    /// A database file by itself, such as a backup.
    case file(String)
    /// A PostgreSQL database; no password is in the URL.
    case postgres(url: String)

    /// Reads the written form; a path that ends in `.sqlite`, or that is a file, names a database file.
    init?(text: String) {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(url: text)
            return
        }
        guard text.hasPrefix("sqlite:"), text != "sqlite:" else { return nil }
        let path = String(text.dropFirst("sqlite:".count))
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let isFile = exists ? !isFolder.boolValue : path.hasSuffix(".sqlite")
        self = isFile ? .file(path) : .folder(path)
    }

    var description: String {
        switch self {
        case .folder(let path), .file(let path): "sqlite:\(path)"
        case .postgres(let url): url
        }
    }

    /// Opens what is there. Unless others may go on with it, no server may be running on a folder until this process
    /// ends; whether one runs on a PostgreSQL database cannot be told.
    func openSource(whileServing: Bool) async throws -> any Store {
        switch self {
        case .folder(let path):
            let folder = try DataFolder.existing(path)
            if !whileServing {
                try folder.takeLock(
                    orElse: "A server is running on \(path), and what it did meanwhile would be missing in the copy. "
                        + "Stop it first; for a copy to look at, add --while-serving.")
            }
            return try SQLiteStore.open(.tenure, path: folder.database, mode: .existing)
        case .file(let path):
            return try SQLiteStore.open(.tenure, path: path, mode: .existing)
        case .postgres(let url):
            return try await PostgresStore.open(.tenure, url: url)
        }
    }

    /// Opens it for a copy, making what is missing. No server may be running on it.
    func openTarget() async throws -> any Store {
        switch self {
        case .folder(let path):
            let folder = try DataFolder.created(path)
            try folder.takeLock(orElse: "A server is running on \(path). Name a folder that is not in use.")
            return try SQLiteStore.open(.tenure, path: folder.database)
        case .file(let path):
            return try SQLiteStore.open(.tenure, path: path)
        case .postgres(let url):
            return try await PostgresStore.open(.tenure, url: url, mode: .create)
        }
    }
}

extension ArgumentReading where Value == StoreAddress {
    /// A store of any engine.
    static var storeAddress: ArgumentReading {
        ArgumentReading(show: { $0.description }) { text throws(UsageError) in
            guard let address = StoreAddress(text: text) else {
                throw UsageError(
                    "write sqlite:PATH with a data folder or a database file, or postgres://USER@HOST/NAME")
            }
            return address
        }
    }
}
