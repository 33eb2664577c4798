import TenureCore
import TenureStore

/// The primary signing keys of a store at the time when a loss was accepted: after a restore without the replaced
/// store, or by `tenure store recovered`.
///
/// Keys that were created since the backup are lost then, and a key that was replaced because it leaked signs again.
/// Until the next rotation, `tenure doctor` warns that such a key still signs.
enum KeysBeforeRestore {
    private static let setting = "restored.keys"

    /// Records the names of the primary keys, which sign new leases.
    static func record(in store: any Store) async throws(StoreError) {
        let value = names(try await store.signingKeys()).sorted().joined(separator: "\n")
        let plan = plan
        try await store.perform(
            Transaction(plan.bind(setting)) { results in
                let record = SettingRecord(name: setting, value: Array(value.utf8))
                return TransactionResult((), [.put(record, over: results[plan.queries])])
            })
    }

    /// Returns the recorded keys that still sign, oldest first.
    static func stillSigning(
        in store: any Store, of keys: [SigningKeyRecord]
    ) async throws(StoreError) -> [SigningKeyRecord] {
        guard let value = try await store.setting(setting) else { return [] }
        let recorded = Set(value.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
        return keys.filter { !names([$0]).isDisjoint(with: recorded) }
    }

    private static func names(_ keys: [SigningKeyRecord]) -> Set<String> {
        Set(keys.filter { $0.status == .primary }.map { "\($0.tenant) \($0.kid)" })
    }

    private static let plan = QueryPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] } }
}
