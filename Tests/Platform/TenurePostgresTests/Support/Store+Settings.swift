import TenureServerKit
import TenureStore

extension Store {
    /// Saves a setting with this name.
    func set(_ name: String) async throws(StoreError) {
        try await perform(Transaction { TransactionResult((), [.insert(SettingRecord(name: name, value: [1]))]) })
    }
}

/// A query plan for a setting that may exist.
enum SettingQueryPlan {
    static let plan = QueryPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] } }
    /// Reads two settings, in this order.
    static let two = QueryPlan(for: [String].self) { query in
        (0..<2).map { position in query.row(SettingRecord.table.key) { [.of($0[position])] } }
    }
}

/// A query plan for the leader of a role.
enum LeaderQueryPlan {
    static let plan = QueryPlan(for: Role.self) { query in query.row(LeaderTerm.table.key) { [.of($0)] } }
}
