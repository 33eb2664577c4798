package import TenureCommandLine
package import TenureStore

extension Installation {
    /// Returns the store's master key; for a new store, creates a missing key file and saves the key's check value.
    package static func masterKey(
        _ file: MasterKeyFile, of store: any Store, console: Console
    ) async throws -> MasterKey {
        if let checkValue = try await store.setting(MasterKey.checkValueSetting) {
            return try matching(checkValue, file)
        }
        if !file.exists {
            try file.create()
            console.warn(
                "created a master key: \(file.path). Keep a copy away from the data, because backups don't contain it. Better "
                    + "still, move it off this disk and pass --master-key-file.")
        }
        let checkValue = try file.read().checkValue()
        // If two processes initialize a store at once with different keys, the first one's check value stays.
        let plan = checkValueForm
        let kept = try await store.perform(
            Transaction(plan.bind()) { results -> TransactionResult<[UInt8]> in
                if let earlier = results[plan.queries.checkValue] { return TransactionResult(earlier.value) }
                return TransactionResult(
                    checkValue,
                    [.insert(SettingRecord(name: MasterKey.checkValueSetting, value: checkValue))]
                        + plan.queries.history.renewal(in: results))
            })
        return try matching(kept, file)
    }

    private struct FirstSettings: Sendable {
        let checkValue: RowQuery<SettingRecord>
        let history: HistorySettings
    }

    private static let checkValueForm = QueryPlan { query in
        FirstSettings(
            checkValue: query.row(SettingRecord.table.key, .constant(MasterKey.checkValueSetting)),
            history: HistorySettings(&query))
    }

    private static func matching(_ checkValue: [UInt8], _ file: MasterKeyFile) throws(CommandError) -> MasterKey {
        let key = try file.read()
        guard key.matches(checkValue: checkValue) else { throw otherKey(file) }
        return key
    }
}
