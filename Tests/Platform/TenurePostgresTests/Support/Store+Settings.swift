import TenureServerKit
import TenureStore

extension Store {
    /// Inserts a setting with this name and a value of one byte.
    func set(_ name: String) async throws(StoreError) {
        try await perform(Transaction { TransactionResult((), [.insert(SettingRecord(name: name, value: [1]))]) })
    }
}

/// Query plans for settings by their names.
enum SettingQueryPlan {
    static let plan = QueryPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] } }
    /// Reads the settings with two names, in the order of the names.
    static let two = QueryPlan(for: [String].self) { query in
        (0..<2).map { position in query.row(SettingRecord.table.key) { [.of($0[position])] } }
    }
}

/// A query plan for the leader of a role.
enum LeaderQueryPlan {
    static let plan = QueryPlan(for: Role.self) { query in query.row(LeaderTerm.table.key) { [.of($0)] } }
}
