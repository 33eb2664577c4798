import FoundationEssentials
package import TenureCommandLine
import TenureFormats

/// The location of an installation's store, from `--store`, `--store-file` and `--data`.
package enum StoreLocation: Sendable {
    /// An SQLite database in this folder.
    case folder(path: String)
    /// A PostgreSQL database, which several servers may share.
    ///
    /// The URL may contain a password only if it was read from `file`, which is `nil` for a URL from an option.
    case postgres(url: String, file: String?)

    /// Returns the location that the options name. Throws if the options contradict each other or are invalid.
    package static func named(by arguments: Parsed) throws(CommandError) -> StoreLocation {
        let file = arguments[SharedOptions.storeFile]
        if file != nil, arguments[SharedOptions.store] != nil {
            throw CommandError("--store and --store-file both name the store. Give only one of them.")
        }
        let text = try file.map(read) ?? arguments[SharedOptions.store] ?? "sqlite"
        if text == "sqlite" { return .folder(path: arguments[SharedOptions.data]) }
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            throw CommandError(
                "The value of --store or --store-file is invalid. Use `sqlite` or postgres://USER@HOST/NAME.")
        }
        return .postgres(url: text, file: file)
    }

    /// The environment variable or context that named the store; `nil` if the command line or the default did.
    package static func source(in arguments: Parsed) -> String? {
        arguments.source(of: SharedOptions.store) ?? arguments.source(of: SharedOptions.storeFile)
            ?? arguments.source(of: SharedOptions.data)
    }

    /// Whether several servers may share the store.
    package var isShared: Bool {
        if case .postgres = self { true } else { false }
    }

    /// Returns the data folder; `nil` for PostgreSQL, which needs no folder.
    ///
    /// Unless `creating` is set, throws if the folder has no database.
    package func folder(creating: Bool) throws(CommandError) -> DataFolder? {
        guard case .folder(let path) = self else { return nil }
        return creating ? try DataFolder.prepared(path) : try DataFolder.installed(path)
    }

    /// Returns the master key's file: the one that `--master-key-file` names, or the one in the data folder.
    ///
    /// Throws for PostgreSQL without that option.
    package func masterKeyFile(_ arguments: Parsed) throws(CommandError) -> MasterKeyFile {
        if let path = arguments[SharedOptions.masterKey] { return MasterKeyFile(path: path) }
        guard case .folder(let path) = self else {
            throw CommandError(
                "A store on PostgreSQL needs a master key file. Pass --master-key-file FILE, with the same key on every server."
            )
        }
        return MasterKeyFile(path: DataFolder(path: path).standardMasterKey, isInDataFolder: true)
    }

    /// Reads the URL in a store file.
    package static func read(_ path: String) throws(CommandError) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandError(
                "The store file \(path) cannot be read. It must contain one line such as postgres://USER@HOST/NAME.")
        }
        return text.trimmed
    }
}
