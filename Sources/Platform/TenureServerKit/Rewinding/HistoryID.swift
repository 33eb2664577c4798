import TenureCrypto
import TenureFormats
import TenureStore

/// The random id of a store's history, which every restore replaces.
///
/// Copies that continue the history keep the id, such as copies by `tenure migrate-store` and PostgreSQL's own copies.
enum HistoryID {
    static let setting = "store.history"

    /// Returns a setting with a new id.
    static func fresh() -> SettingRecord {
        SettingRecord(name: setting, value: Array(Hex.encode(SecureRandom.bytes(16)).utf8))
    }

    static func text(of record: SettingRecord?) -> String? { record.map { String(decoding: $0.value, as: UTF8.self) } }

    /// Gives a restored store a new id, and removes its record of lost events.
    static func renew(in store: any Store) async throws(StoreError) {
        let plan = HistorySettings.plan
        try await store.perform(
            Transaction(plan.bind()) { results in
                TransactionResult((), plan.queries.renewal(in: results))
            })
    }
}

/// The queries for the settings about the store's history.
struct HistorySettings: Sendable {
    private let id: RowQuery<SettingRecord>
    private let rewound: RowQuery<SettingRecord>

    init<Parameters>(_ query: inout QueryBuilder<Parameters>) {
        id = query.row(SettingRecord.table.key, .constant(HistoryID.setting))
        rewound = query.row(SettingRecord.table.key, .constant(RewoundStore.setting))
    }

    static let plan = QueryPlan { query in HistorySettings(&query) }

    func id(in results: QueryResult) -> String? { HistoryID.text(of: results[id]) }

    /// The row of the setting that records lost events; `nil` if no events were lost, or if the loss has been resolved.
    func rewoundRow(in results: QueryResult) -> SettingRecord? { results[rewound] }

    func rewound(in results: QueryResult) -> RewoundStore? { results[rewound].flatMap { RewoundStore($0.value) } }

    /// Returns the row writes that begin a new history.
    func renewal(in results: QueryResult) -> [RowWrite] {
        [.put(HistoryID.fresh(), over: results[id])] + (results[rewound].map { [.remove($0)] } ?? [])
    }
}
