import TenureStore

/// Detects a former primary that accepts changes again, although another database has replaced it.
enum FormerPrimary {
    /// The error for a connection that leads to a former primary; `nil` for a database that may be used.
    static func refusal(_ relation: RememberedHistory.Relation, _ store: ConnectedStore) -> StoreError? {
        message(relation, store).map { StoreError(.rewound, "\($0) Nothing was changed. \(cure)") }
    }

    /// Returns the evidence that a database is a former primary; `nil` for a database that may be used.
    static func message(_ relation: RememberedHistory.Relation, _ store: ConnectedStore) -> String? {
        let fact: String
        switch relation {
        case .same, .replaced, .returned: return nil
        case .behind: fact = "is on timeline \(store.timeline?.text ?? "unknown"), and servers have used a newer one"
        case .former: fact = "lacks a `tenure store recovered` or a restore that servers have seen"
        }
        return "The database on \(store.host) \(fact), like a former primary that came back."
    }

    static let cure =
        "Stop it, or make it a standby. If you put the older state back on purpose, run `tenure store recovered`."
}

extension NewConnection.Timeline {
    /// The number in decimal digits, as PostgreSQL's own tools show it.
    var text: String { UInt32(number, radix: 16).map { "\($0)" } ?? number }
}
