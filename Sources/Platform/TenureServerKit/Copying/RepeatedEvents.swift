import TenureCore
import TenureStore

/// The events of later stores that a restored store records again, each event once.
///
/// The events show clients which later changes the restored store has, and complete the history of each license. They
/// get new numbers and keep their dates.
package struct RepeatedEvents: Sendable {
    private var records: [EventRecord] = []
    private var known: [Event: (store: Int, numbers: Set<Int64>)] = [:]

    package init() {}

    var isEmpty: Bool { records.isEmpty }

    /// Adds events of a later store.
    ///
    /// An event that was already added from another later store is left out, because one of the stores recorded it
    /// again during a restore.
    ///
    /// - Parameter store: The store's index among the later stores.
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
