package import TenureCommandLine
package import TenureStore

extension Installation {
    /// Returns the store's master key. For a new store, creates a missing key file, and saves the key's check value
    /// and the store's secrets.
    ///
    /// During a change of the master key, the file may contain the old or the new key. The result decrypts values that
    /// either of them encrypted.
    package static func masterKey(
        _ file: MasterKeyFile, of store: any Store, console: Console
    ) async throws -> MasterKey {
        let state = try await MasterKeyState.read(from: store)
        if state.checkValue != nil { return try key(in: file, of: state) }
        if !file.exists {
            try file.create()
            console.warn(
                "created a master key: \(file.path). Keep a copy away from the data, because backups don't contain it."
                    + (file.isInDataFolder ? " Better still, move it off this disk and pass --master-key-file." : ""))
        }
        let master = try file.read()
        let checkValue = try master.checkValue()
        let secrets = try StoreSecrets.fresh(under: master)
        // If two processes initialize a store at once with different keys, the first one's check value stays.
        let plan = checkValueForm
        try await store.perform(
            Transaction(plan.bind()) { results in
                guard results[plan.queries.checkValue] == nil else { return TransactionResult(()) }
                let check = SettingRecord(name: MasterKey.checkValueSetting, value: checkValue)
                return TransactionResult(
                    (),
                    ([check, StoreID.fresh()] + secrets).map { .insert($0) } + plan.queries.history.renewal(in: results)
                )
            })
        return try key(in: file, of: try await MasterKeyState.read(from: store))
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

    /// Reads the key in a file. Throws ``CommandError`` unless the key belongs to the store.
    static func key(in file: MasterKeyFile, of state: MasterKeyState) throws(CommandError) -> MasterKey {
        let key = try file.read()
        guard let resolved = state.resolved(key) else { throw otherKey(file, state.replacedAt(key)) }
        return resolved
    }
}
