import Synchronization
package import TenureCore
package import TenureStore
import TenureThreads

/// Notices when the database has returned to an older state, as after an asynchronous failover, and mends it in place.
///
/// The server remembers the last events that the database confirmed to it. Before each new connection is used, it looks
/// for them in the store.
package final class RewindDetector: Sendable {
    private struct State {
        var known: RememberedHistory
        /// Confirmed events whose digests haven't been computed yet.
        var confirmed: [EventRecord] = []
        /// Whether the local file lacks something.
        var isUnsaved = false
        var rewound: RewoundStore?
        /// Whether ``rewound`` is in the store.
        var isRecorded = false
        /// When an older timeline was last logged.
        var timelineLoggedAt: SteadyTime?

        /// What is known, including the events that were confirmed last.
        mutating func current() -> RememberedHistory {
            known.add(confirmed.map { ConfirmedEvent($0) })
            confirmed = []
            return known
        }
    }

    private let state: Mutex<State>
    private let save: @Sendable ([UInt8]) throws -> Void
    private let now: @Sendable () -> Timestamp
    private let log: any Log

    /// Creates a detector with what an earlier run remembered.
    ///
    /// - Parameters:
    ///   - load: Reads the local file; returns `nil` if there is none.
    ///   - save: Replaces the local file durably and atomically.
    package init(
        load: () -> [UInt8]?, save: @escaping @Sendable ([UInt8]) throws -> Void,
        now: @escaping @Sendable () -> Timestamp, log: any Log
    ) {
        state = Mutex(State(known: load().flatMap { RememberedHistory($0) } ?? RememberedHistory()))
        self.save = save
        self.now = now
        self.log = log
    }

    /// Connects the detector to the store's connections.
    package var observer: ConnectionObserver {
        ConnectionObserver(
            opened: { [self] connection throws(StoreError) in try check(connection) },
            appended: { [self] table, rows in confirm(rows, of: table) })
    }

    /// What the store lost; `nil` if nothing did, or once an operator has settled it.
    var rewound: RewoundStore? { state.withLock { $0.rewound } }

    private func confirm(_ rows: [NumberedRow], of table: TableShape) {
        guard table === EventRecord.table.shape else { return }
        let records = rows.suffix(RememberedHistory.most).compactMap { numbered in
            numbered.row.row(of: EventRecord.self).map { EventRecord(sequence: numbered.number, event: $0.event) }
        }
        state.withLock { state in
            state.confirmed = Array((state.confirmed + records).suffix(RememberedHistory.most))
            state.isUnsaved = true
        }
    }

    /// Saves what is known in the local file if it has changed.
    func saveIfChanged() throws {
        let bytes = state.withLock { state -> [UInt8]? in
            guard state.isUnsaved else { return nil }
            state.isUnsaved = false
            return state.current().bytes
        }
        guard let bytes else { return }
        do {
            try save(bytes)
        } catch {
            state.withLock { $0.isUnsaved = true }
            throw error
        }
    }

    /// Takes over what the store says about its history; a new id means that an operator has replaced or settled it.
    ///
    /// - Parameter isChecked: Whether a connection for changes has just found all remembered events, so that a suspicion of
    ///   a connection that only reads was unfounded.
    func adopt(_ id: String?, _ rewound: RewoundStore?, isChecked: Bool = false) {
        let (isReplaced, former, isNew) = state.withLock { state -> (Bool, RewoundStore?, Bool) in
            let known = state.current()
            let isReplaced = known.id != id && !known.events.isEmpty
            if known.id != id {
                state.known = RememberedHistory(of: id)
                state.isUnsaved = true
            }
            let former = state.rewound
            // What only this server has noticed stays until it's recorded.
            if rewound != nil || state.isRecorded || isReplaced || isChecked {
                (state.rewound, state.isRecorded) = (rewound, rewound != nil)
            }
            return (isReplaced, former, former == nil)
        }
        if isReplaced { log.write(LogLine(.warning, "store_history_replaced", [("text", .text(Self.replaced))])) }
        if let rewound, isNew { tell(rewound) }
        if former != nil, rewound == nil, self.rewound == nil { log.write(LogLine(.info, "store_recovered")) }
    }

    private func tell(_ rewound: RewoundStore) {
        log.write(
            LogLine(
                .error, "store_rewound",
                [
                    ("missing", .number(Int64(rewound.missing))),
                    ("text", .text("\(rewound.message) \(RewoundStore.cure)")),
                ]))
    }

    private static let replaced =
        "The store has another history than before: it was restored, recovered or replaced. What this server remembered of "
        + "the former one is dropped."
}

extension RewindDetector {
    /// Compares what is known with the store; if the store has lost events, records that on a connection for changes.
    private func check(_ connection: NewConnection) throws(StoreError) {
        let known = state.withLock { $0.current() }
        let plan = Self.facts
        let results: QueryResult
        do throws(StoreError) {
            results = try connection.fetch(plan.bind(known.events))
        } catch {
            // A damaged row must not keep the server from its store; the server's own checks report it.
            guard error.code == .corrupt else { throw error }
            return
        }
        let facts = plan.queries.facts(in: results)
        let timeline = try connection.timeline()
        if let timeline, facts.id == known.id, known.isBehind(timeline) { throw refused(timeline) }
        defer { if let timeline { use(timeline) } }
        let recorded = plan.queries.settings.rewound(in: results)
        guard case .lacking(let lacking) = HistoryComparison.outcome(of: known, in: facts) else {
            return adopt(facts.id, recorded, isChecked: connection.isWriting)
        }
        let restored = try restorations(after: lacking, last: facts.last, on: connection)
        let lost = HistoryComparison.lost(lacking, last: facts.last, restored: restored)
        if lost.isEmpty {
            // The loss has been recorded already.
            forget(lacking)
            return adopt(facts.id, recorded)
        }
        guard connection.isWriting else { return suspect(lost, recorded) }
        let mended = try connection.perform(MendRewound(lost: lost, last: facts.last, now: now()).transaction)
        forget(lacking)
        adopt(facts.id, mended)
    }

    private func use(_ timeline: NewConnection.Timeline) {
        state.withLock { state in
            if state.known.use(timeline) { state.isUnsaved = true }
        }
    }

    /// The error for a cluster whose newer timeline this server has used; logs it at most once a minute.
    private func refused(_ timeline: NewConnection.Timeline) -> StoreError {
        let error = StoreError(
            .rewound,
            "The database is on an older timeline (\(timeline.number)) than this server has used, like a former primary that "
                + "came back. Nothing was changed. Stop it, or make it a standby. If you put the older state back on "
                + "purpose, run `tenure store recovered`.")
        let isDue = state.withLock { state in
            if let loggedAt = state.timelineLoggedAt, loggedAt.advanced(by: .seconds(60)) > .now() { return false }
            state.timelineLoggedAt = .now()
            return true
        }
        if isDue { log.write(LogLine(.error, "store_timeline_refused", [("text", .text(error.message))])) }
        return error
    }

    private func forget(_ lost: Set<ConfirmedEvent>) {
        state.withLock { state in
            state.known.forget(lost)
            state.isUnsaved = true
        }
    }

    /// Remembers a loss that is recorded once this server changes something.
    private func suspect(_ lost: [TenantID: ClosedRange<Int64>], _ recorded: RewoundStore?) {
        state.withLock { state in
            if state.rewound != nil { return }
            var rewound = recorded ?? RewoundStore(noticedAt: now(), losses: [:])
            for (tenant, numbers) in lost { rewound.add(numbers, of: tenant, restored: numbers.upperBound) }
            state.rewound = rewound
        }
    }

    /// The number of each tenant's last `store.restored` above the first event that the store lacks.
    private func restorations(
        after lacking: Set<ConfirmedEvent>, last: [TenantID: Int64], on connection: NewConnection
    ) throws(StoreError) -> [TenantID: Int64] {
        var restored: [TenantID: Int64] = [:]
        for (tenant, events) in Dictionary(grouping: lacking, by: \.tenant) {
            guard let first = events.map(\.number).min(), first < last[tenant] ?? 0 else { continue }
            let rows = try connection.rows(
                Listing(
                    EventRecord.ofTenant, [.of(tenant)], where: [[.equals("kind", EventKind.storeRestored)]],
                    after: [.of(tenant), .integer(first)], limit: 1_000
                ).shape)
            restored[tenant] = rows.last?.row(of: EventRecord.self)?.sequence
        }
        return restored
    }

    private static let facts = QueryPlan(for: [ConfirmedEvent].self) { query in FactQueries(&query) }

    private struct FactQueries: Sendable {
        let settings: HistorySettings
        let counters: RowsQuery<EventCounter>
        let events: RowsQuery<EventRecord>

        init(_ query: inout QueryBuilder<[ConfirmedEvent]>) {
            settings = HistorySettings(&query)
            counters = query.each(EventCounter.table.key) { events in Set(events.map(\.tenant)).map { .of($0) } }
            events = query.each(EventRecord.table.key) { events in
                events.flatMap { [.of($0.tenant), .integer($0.number)] }
            }
        }

        func facts(in results: QueryResult) -> HistoryComparison.StoreFacts {
            HistoryComparison.StoreFacts(
                id: settings.id(in: results),
                last: Dictionary(uniqueKeysWithValues: results[counters].map { ($0.tenant, $0.last) }),
                events: results[events].map { ConfirmedEvent($0) })
        }
    }
}
