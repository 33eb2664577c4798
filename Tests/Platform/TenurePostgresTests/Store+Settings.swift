import TenureServerKit
import TenureStore

extension Store {
    /// Saves a setting of that name.
    func set(_ name: String) async throws(StoreError) {
        try await perform(Change { Saving((), [.insert(SettingRecord(name: name, value: [1]))]) })
    }
}

/// A setting that may be there.
enum SettingForm {
    static let form = LoadForm { ask in ask.row(SettingRecord.table.key) }
    /// Two of them, in this order.
    static let two = LoadForm { ask in [ask.row(SettingRecord.table.key), ask.row(SettingRecord.table.key)] }
}

/// Whose lead it is.
enum LeaderForm {
    static let form = LoadForm { ask in ask.row(LeaderTerm.table.key) }
}
