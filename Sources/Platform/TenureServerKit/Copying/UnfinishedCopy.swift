import TenureCore
import TenureCrypto
public import TenureStore

/// A note in a store that marks the store as an unfinished copy of another store.
///
/// The note is written before the rows and removed after the comparison, so that no server starts on an incomplete
/// store.
public enum UnfinishedCopy {
    /// The name of the setting that contains the note. The setting isn't copied.
    public static let setting = "unfinished_copy"

    /// Whether the store is an interrupted copy.
    public static func isThere(in store: any Store) async throws(ServerError) -> Bool {
        try await ServerStore(store).setting(setting) != nil
    }

    /// Returns the note for copies of a source: a digest of the source's id (``StoreID``).
    package static func note(for source: any Store) async throws(StoreError) -> [UInt8] {
        SHA256.hash(try await source.setting(StoreID.setting) ?? [])
    }

    package static func save(_ note: [UInt8]?, in store: any Store) async throws(StoreError) {
        let plan = plan
        try await store.perform(
            Transaction(plan.bind(setting)) { results in
                let before = results[plan.queries]
                guard let note else { return TransactionResult((), before.map { [.remove($0)] } ?? []) }
                return TransactionResult((), [.put(SettingRecord(name: setting, value: note), over: before)])
            })
    }

    private static let plan = QueryPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] } }

    /// Returns the rows of a page without the note.
    package static func leavingOutNote(_ page: [StoredRow], of table: TableShape) -> [StoredRow] {
        guard table === SettingRecord.table.shape else { return page }
        return page.filter { row in table.key(of: row)[0] != .of(setting) }
    }
}
