package import TenureCore
package import TenureStore

/// The number of a tenant's newest event.
///
/// A change that records events increases the counter, and locks it until the change is committed. So a tenant's event
/// numbers have no gaps, except after a restore, and a client that reads events in order misses none. Changes of other
/// tenants don't wait.
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

    /// The counters of all tenants that have events, in the order of the tenants' ids.
    package static func all<Records: Reading>(in store: Records) async throws(Records.Failure) -> [EventCounter] {
        try await store.all(table.all)
    }
}

extension [TenantID: Int64] {
    /// The tenants with their event numbers, such as `acme 17, bolt 4`. Beyond five tenants, the others are only
    /// counted.
    var listed: String {
        if isEmpty { return "none" }
        let shown = sorted { $0.key < $1.key }.prefix(5).map { "\($0.key) \($0.value)" }
        return shown.joined(separator: ", ") + (count > 5 ? " and \(count - 5) more tenants" : "")
    }
}
