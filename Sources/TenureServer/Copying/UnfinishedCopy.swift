import TenureCore
import TenureCrypto
public import TenureServerKit
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
        let form = form
        try await store.perform(
            Change(form.asked(.of(setting))) { seen in
                let before = seen[form.looks]
                guard let note else { return Saving((), before.map { [.remove($0)] } ?? []) }
                return Saving((), [.put(SettingRecord(name: setting, value: note), over: before)])
            })
    }

    private static let form = LoadForm { ask in ask.row(SettingRecord.table.key) }

    /// A page without the note.
    static func leavingOutNote(_ page: [StoredRow], of table: TableShape) -> [StoredRow] {
        guard table === SettingRecord.table.shape else { return page }
        return page.filter { row in table.key(of: row)[0] != .of(setting) }
    }
}
