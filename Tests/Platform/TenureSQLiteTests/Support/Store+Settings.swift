import TenureServerKit
import TenureStore

extension Store {
    /// Saves a setting with this name and a value of `bytes` bytes.
    func set(_ name: String, bytes: Int = 1) async throws(StoreError) {
        let plan = settingForm
        try await perform(
            Transaction(plan.bind(name)) { results in
                let setting = SettingRecord(name: name, value: Array(repeating: 1, count: bytes))
                return TransactionResult((), [.put(setting, over: results[plan.queries])])
            })
    }
}

private let settingForm = QueryPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] } }
