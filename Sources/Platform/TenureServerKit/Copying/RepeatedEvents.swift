import TenureCore
import TenureStore

/// The events of later stores that a restored store records once more, each of them once.
///
/// So the history of a license shows who issued it and why it was suspended, and readers of events learn which of them
/// the store still has. The events have new numbers and their former dates.
package struct RepeatedEvents: Sendable {
    private var records: [EventRecord] = []
    private var known: [Event: (store: Int, numbers: Set<Int64>)] = [:]

    package init() {}

    var isEmpty: Bool { records.isEmpty }

    /// Adds events of a later store.
    ///
    /// An event that another store has as well, under another number, is left out: that store was restored, too.
    ///
    /// - Parameter store: The store's position among the later stores.
    mutating func add(_ events: [EventRecord], of store: Int) {
        for record in events {
            var entry = known[record.event] ?? (store, [])
            guard entry.store == store, entry.numbers.insert(record.sequence).inserted else { continue }
            known[record.event] = entry
            records.append(record)
        }
    }

    /// Records the events in the restored store, in their former order.
    func record(in store: any Store) async throws(StoreError) {
        let events = records.sorted { $0.sequence < $1.sequence }.map(\.event)
        for start in stride(from: 0, to: events.count, by: 500) {
            let writes = events[start...].prefix(500).map { RowWrite.event($0) }
            try await store.perform(Transaction { TransactionResult((), writes) })
        }
    }
}
