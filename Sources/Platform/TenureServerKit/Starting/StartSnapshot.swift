import Synchronization
import TenureCrypto
import TenureFormats
import TenureStore

/// A local file that lets a server start while its database is unavailable.
///
/// The file contains callback secrets, the keys of the video service Kollus, and public keys. It's encrypted under the
/// master key, and can be decrypted only for the same database.
public struct StartSnapshot: Sendable {
    /// A decrypted snapshot.
    package struct Opened: Sendable {
        let catalog: FlatObject
        /// The id of the store from which the snapshot was created (``StoreID``).
        let storeID: [UInt8]
    }

    private let label: [UInt8]
    private let master: MasterKey
    private let load: @Sendable () -> [UInt8]?
    private let save: @Sendable ([UInt8]?) throws -> Void

    /// Creates a reference to the place where a snapshot is saved.
    ///
    /// - Parameters:
    ///   - database: A name that identifies the database, without a password. A snapshot of a database with another
    ///     name isn't opened.
    ///   - load: Reads the encrypted bytes; returns `nil` if no snapshot is saved.
    ///   - save: Replaces the encrypted bytes durably and atomically; `nil` removes them.
    public init(
        of database: String, under master: MasterKey, load: @escaping @Sendable () -> [UInt8]?,
        save: @escaping @Sendable ([UInt8]?) throws -> Void
    ) {
        label = Array(("tenure start snapshot|1|" + database).utf8)
        self.master = master
        self.load = load
        self.save = save
    }

    /// Decrypts the snapshot; `nil` if it's missing or damaged, or belongs to another database or master key.
    package func open() -> Opened? {
        guard let sealed = load(), let json = try? master.open(sealed, labelled: label),
            let object = try? FlatObject(scanning: json),
            let storeID = object.string("storeID").value.flatMap({ Hex.decode($0) })
        else { return nil }
        return Opened(catalog: object, storeID: storeID)
    }

    /// Replaces the snapshot.
    ///
    /// The snapshot is encrypted under the store's current master key. So a server that starts with a former key can't
    /// read it, and waits for the store.
    ///
    /// Throws the error of `save`, or a `CryptoError` if the encryption fails.
    func replace(by catalog: CatalogCache, storeID: [UInt8]) throws {
        let json = JSONWriter.object { body in
            body.member("storeID", hex: storeID)
            catalog.writeKept(into: &body)
        }
        try save(try catalog.master.seal(json, labelled: label))
    }

    /// Removes the snapshot if it was created from a store with another id.
    public func removeIfMade(ofOtherThan storeID: [UInt8]) {
        guard let opened = open(), opened.storeID != storeID else { return }
        try? save(nil)
    }
}

/// Replaces the snapshot whenever the catalog or the keys have changed. Checks for changes every four seconds.
final class KeepStartSnapshot: Service {
    private let snapshot: StartSnapshot
    private let catalog: CatalogCache
    private let store: ServerStore
    /// The catalog version of the saved snapshot; `nil` until this server has saved one.
    private let written = Mutex<Int64?>(nil)

    init(_ snapshot: StartSnapshot, catalog: CatalogCache, store: any Store) {
        self.snapshot = snapshot
        self.catalog = catalog
        self.store = ServerStore(store)
    }

    var name: String { "start_snapshot" }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let version = try await catalog.refreshIfChanged().version
        if written.withLock({ $0 }) == version { return .after(Self.interval) }
        let storeID = try await store.setting(StoreID.setting)
        guard let storeID else { return .after(Self.interval) }
        do {
            try snapshot.replace(by: catalog, storeID: storeID)
        } catch {
            throw ServerError(
                .init("start_snapshot_not_kept"),
                "What this server needs to start without its database could not be written to the data folder. Make "
                    + "room in it, or name another with --data DIR.", cause: "\(error)")
        }
        written.withLock { $0 = version }
        return .after(Self.interval)
    }

    private static let interval = Duration.seconds(4)
}
