import TenureServerKit
import TenureStore

extension Store {
    /// Saves a setting with this name and a value of `bytes` bytes.
    func set(_ name: String, bytes: Int = 1) async throws(StoreError) {
        let form = settingForm
        try await perform(
            Transaction(form.asked(name)) { seen in
                let setting = SettingRecord(name: name, value: Array(repeating: 1, count: bytes))
                return TransactionResult((), [.put(setting, over: seen[form.looks])])
            })
    }
}

private let settingForm = QueryPlan(for: String.self) { ask in ask.row(SettingRecord.table.key) { [.of($0)] } }
