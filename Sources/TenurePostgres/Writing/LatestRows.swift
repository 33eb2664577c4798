/// Rows to save, each as it is at last, in the order in which they first came.
struct LatestRows<Name: Hashable, Row> {
    private var rows: [Name: Row] = [:]
    private var order: [Name] = []

    mutating func add(_ row: Row, named name: Name) {
        if rows.updateValue(row, forKey: name) == nil { order.append(name) }
    }

    mutating func removeAll(where isGone: (Row) -> Bool) {
        rows = rows.filter { !isGone($0.value) }
        order = order.filter { rows[$0] != nil }
    }

    var all: [Row] { order.compactMap { rows[$0] } }
}
