import Synchronization
package import TenureCore
package import TenureStore

/// The events of a store in use since its history split, because another server continued a different state of the
/// store.
///
/// Running servers continue to record events, so the events are read again before each change that depends on them.
package final class OwnHistory: Sendable {
    /// The events as of the last read.
    package struct Events: Sendable {
        fileprivate(set) var all = EventsSince()
        private let other: EventsSince

        init(besides other: EventsSince) { self.other = other }

        /// The events about a record that the store in use recorded itself.
        ///
        /// They exclude events that were repeated from the other state, and events that only time caused, such as
        /// expirations.
        func own(about record: EventsSince.Record) -> [EventRecord] {
            all.events(about: record, without: [other]).filter { $0.event.actor != .time }
        }

        /// The other state's events about a record, oldest first, without those that the store in use has recorded
        /// again.
        func missing(about record: EventsSince.Record) -> [EventRecord] {
            other.events(about: record, without: [all])
        }

        /// The kinds of events that each state recorded about a record. If the record is `nil`, the store in use counts
        /// as an old copy (``RecordChanges/ofOldCopy``).
        func changes(of record: EventsSince.Record?) -> RecordChanges {
            guard let record else { return .ofOldCopy }
            return RecordChanges(
                own: Set(own(about: record).map(\.event.kind)), other: Set(missing(about: record).map(\.event.kind)))
        }
    }

    private let store: any Store
    /// The time of the last event that both states have. Both states contain the rows from before it.
    let sharedUntil: Timestamp
    private let state: Mutex<(events: Events, last: ContinueEvents.Numbers)>

    /// Creates the history, which is empty until ``refresh()``.
    ///
    /// - Parameters:
    ///   - shared: The number of each tenant's last event that both states have.
    ///   - other: The events of the other state since the split.
    package init(
        of store: any Store, after shared: ContinueEvents.Numbers, sharedUntil: Timestamp, other: EventsSince
    ) {
        self.store = store
        self.sharedUntil = sharedUntil
        state = Mutex((Events(besides: other), shared))
    }

    /// Reads the events that were recorded since the last call. Returns all events since the split.
    @discardableResult
    package func refresh() async throws(StoreError) -> Events {
        var (events, last) = state.withLock { $0 }
        for counter in try await EventCounter.all(in: store) where counter.last > last[counter.tenant] ?? 0 {
            last[counter.tenant] = try await events.all.add(
                counter.tenant, of: store, after: last[counter.tenant] ?? 0)
        }
        let current = (events, last)
        state.withLock { $0 = current }
        return events
    }
}
