package import TenureCore
package import TenureStore

/// The number of a tenant's newest event.
///
/// A change that records events raises it and holds it locked until its commit. So a tenant's numbers have no holes, and
/// a reader never passes a number that appears later. Changes of other tenants don't wait.
package struct EventCounter: Sendable, Hashable {
    package let tenant: TenantID
    package let last: Int64

    package init(tenant: TenantID, last: Int64) {
        self.tenant = tenant
        self.last = last
    }
}

extension EventCounter: Stored {
    package static let table = Table<EventCounter>(
        "event_counters", key: ["tenant"], [Field("tenant") { $0.tenant }, Field("last") { $0.last }],
        layout: .frequentUpdates
    ) { row in
        EventCounter(tenant: try row.next(), last: try row.next())
    }

    /// The counters of all tenants that have events, in the order of their ids.
    package static func all<Records: Reading>(in store: Records) async throws(Records.Failure) -> [EventCounter] {
        try await store.all(table.all)
    }
}

extension [TenantID: Int64] {
    /// The tenants with their event numbers, such as `acme 17, bolt 4`; more than five are counted only.
    var listed: String {
        if isEmpty { return "none" }
        let shown = sorted { $0.key < $1.key }.prefix(5).map { "\($0.key) \($0.value)" }
        return shown.joined(separator: ", ") + (count > 5 ? " and \(count - 5) more tenants" : "")
    }
}
