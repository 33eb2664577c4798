import TenureCore
import TenureCrypto
public import TenureStore

/// The note by which a store is known as the unfinished copy of another.
///
/// It is saved before anything else and removed when the copy has been compared, so that nobody serves half a store.
public enum UnfinishedCopy {
    /// The setting that holds the note; it is no part of what is copied.
    public static let setting = "unfinished_copy"

    /// Whether the store is a copy that was interrupted. Throws ``ServerError``.
    public static func isThere(in store: any Store) async throws(ServerError) -> Bool {
        try await asking { () async throws(StoreError) in try await store.setting(setting) != nil }
    }

    /// What tells one source from another: a digest of the master key's check value, which no two installations share.
    static func note(for source: any Store) async throws(StoreError) -> [UInt8] {
        SHA256.hash(try await source.setting(MasterKey.checkValueSetting) ?? [])
    }

    static func save(_ note: [UInt8]?, in store: any Store) async throws(StoreError) {
        try await store.perform(
            Change(loading: LoadKeys()) { _ in Saving((), [.setting(name: setting, value: note)]) })
    }
}

extension StorePage {
    /// The same page without the note.
    var withoutNote: StorePage {
        guard case .settings(let rows) = self else { return self }
        return .settings(rows.filter { $0.name != UnfinishedCopy.setting })
    }
}
