import TenureServerKit
import TenureStore

extension Store {
    /// Saves a setting of that name.
    func set(_ name: String) async throws(StoreError) {
        try await perform(Transaction { TransactionResult((), [.insert(SettingRecord(name: name, value: [1]))]) })
    }
}

/// A setting that may be there.
enum SettingForm {
    static let form = QueryPlan(for: String.self) { ask in ask.row(SettingRecord.table.key) { [.of($0)] } }
    /// Two of them, in this order.
    static let two = QueryPlan(for: [String].self) { ask in
        (0..<2).map { place in ask.row(SettingRecord.table.key) { [.of($0[place])] } }
    }
}

/// Whose lead it is.
enum LeaderForm {
    static let form = QueryPlan(for: Role.self) { ask in ask.row(LeaderTerm.table.key) { [.of($0)] } }
}
