import Synchronization
package import TenureCore
package import TenureStore
import TenureThreads

/// Detects that the database has returned to an older state, for example after an asynchronous failover. It then
/// continues the event numbers and records the loss.
///
/// The server remembers the last events whose commit the database confirmed. Before a new connection for changes or
/// requests is used, the detector looks for these events in the store. On any other connection, it checks only the
/// history's id and the timeline, which identify a former primary.
package final class RewindDetector: Sendable {
    private struct State {
        /// The store whose events are remembered; `nil` before the first connection.
        var store: StoreIdentity?
        /// The file with the history of ``store``; `nil` if this server doesn't save remembered events.
        var file: HistoryFile?
        var history = RememberedHistory()
        /// Confirmed events whose digests haven't been computed yet.
        var confirmed: [EventRecord] = []
        /// Whether the remembered history has changes that aren't in the local file yet.
        var isUnsaved = false
        var rewound: RewoundStore?
        /// Whether the store contains the record ``rewound``.
        var isRecorded = false
        /// A counter that increases with every change of ``store``, of ``rewound`` and of the history's id. A reading
        /// that began before such a change is outdated.
        var changes = 0
        /// When a refused connection was last logged.
        var refusalLoggedAt: SteadyTime?
        var connections = ConnectionCounts()

        /// Returns the remembered history, including the events that were confirmed last.
        mutating func current() -> RememberedHistory {
            history.add(confirmed.map { ConfirmedEvent($0) })
            confirmed = []
            return history
        }
    }

    /// The result of reading the store's settings about its history.
    struct Reading {
        var id: String?
        var rewound: RewoundStore?
        /// The value of ``RewindDetector/changes`` before the read.
        var changes: Int
    }

    private let state = Mutex(State())
    private let folder: HistoryFolder?
    private let keepsFile: Bool
    private let now: @Sendable () -> Timestamp
    private let log: any Log

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - folder: The folder with the saved histories; `nil` to save none.
    ///   - keepsFile: Whether the detector takes a file in the folder. A command only reads the files of servers.
    package init(
        in folder: HistoryFolder? = nil, keepsFile: Bool = true, now: @escaping @Sendable () -> Timestamp, log: any Log
    ) {
        self.folder = folder
        self.keepsFile = keepsFile
        self.now = now
        self.log = log
    }

    /// The observer that lets the detector check the store's connections.
    package var observer: ConnectionObserver {
        ConnectionObserver(
            opened: { [self] connection throws(StoreError) in try check(connection) },
            appended: { [self] table, rows in confirm(rows, of: table) })
    }

    /// The store's record of its loss; `nil` if nothing was lost, or after an operator has resolved the loss.
    var rewound: RewoundStore? { state.withLock { $0.rewound } }

    /// Whether a connection that only reads has found a loss that isn't recorded in the store yet.
    var isSuspecting: Bool { state.withLock { $0.rewound != nil && !$0.isRecorded } }

    /// The numbers of opened and refused connections, for metrics.
    var connections: ConnectionCounts { state.withLock { $0.connections } }

    /// A counter of the changes to the detector's state, by which outdated readings are recognized.
    var changes: Int { state.withLock { $0.changes } }

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

    /// Saves the remembered history in the local file if it has changed.
    func saveIfChanged() throws {
        let unsaved = state.withLock { state -> (HistoryFile, [UInt8])? in
            guard state.isUnsaved, let file = state.file else { return nil }
            state.isUnsaved = false
            return (file, state.current().bytes)
        }
        guard let (file, bytes) = unsaved else { return }
        do {
            try file.save(bytes)
        } catch {
            state.withLock { $0.isUnsaved = true }
            throw error
        }
    }

    /// Adopts the store's settings about its history. A new id means that an operator has replaced the store or
    /// resolved its loss.
    ///
    /// - Parameter isChecked: Whether a connection for changes has just found every remembered event, so that the
    ///   suspicion of a connection that only reads was unfounded.
    /// - Returns: Whether the reading was current. Otherwise, it must be repeated.
    @discardableResult
    func adopt(_ reading: Reading, isChecked: Bool = false) -> Bool {
        let (isCurrent, isReplaced, wasRecorded, recorded) = state.withLock {
            state -> (Bool, Bool, Bool, RewoundStore?) in
            let (former, wasRecorded) = (state.rewound, state.isRecorded)
            let history = state.current()
            // The connection may lead to a former primary, or the read may have started before an operator resolved
            // the loss.
            if history.relation(to: reading.id, on: nil) == .former { return (false, false, false, nil) }
            let isCurrent = state.changes == reading.changes
            let isReplaced = history.id != reading.id
            if isReplaced {
                state.history.begin(reading.id, keeping: history.timelines)
                state.isUnsaved = true
            }
            // A loss that only this server has found stays until the store has recorded it.
            let mayEnd = isCurrent && (state.isRecorded || isReplaced || isChecked)
            if reading.rewound != nil || mayEnd {
                (state.rewound, state.isRecorded) = (reading.rewound, reading.rewound != nil)
            }
            if isReplaced || state.rewound != former { state.changes += 1 }
            return (
                isCurrent, isReplaced && !history.events.isEmpty, wasRecorded, state.isRecorded ? state.rewound : nil
            )
        }
        if isReplaced { log.write(LogLine(.warning, "store_history_replaced", [("text", .text(Self.replaced))])) }
        if let recorded, !wasRecorded { tell(recorded) }
        if wasRecorded, recorded == nil { log.write(LogLine(.info, "store_recovered")) }
        return isCurrent
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
    /// Checks a connection. If the store has lost events and the connection is for changes, records the loss in the
    /// store.
    private func check(_ connection: NewConnection) throws(StoreError) {
        let changes = changes
        guard let facts = try ConnectedStore(connection) else { return }
        begin(facts.identity)
        let relation = relate(to: facts)
        let refusal = FormerPrimary.refusal(relation, facts)
        state.withLock { $0.connections.count(connection, isRefused: refusal != nil) }
        if let refusal {
            logRefusal(refusal)
            throw refusal
        }
        let reading = Reading(id: facts.id, rewound: facts.rewound, changes: changes)
        guard connection.purpose != .other else { return _ = adopt(reading) }
        try compareEvents(on: connection, since: changes)
    }

    /// Loads the saved history of a store, unless the earlier connections led to the same store.
    private func begin(_ store: StoreIdentity) {
        let isKept = state.withLock { state -> Bool in
            if state.store == store { return true }
            var following = State()
            following.store = store
            following.changes = state.changes + 1
            following.refusalLoggedAt = state.refusalLoggedAt
            following.connections = state.connections
            if let folder {
                following.history = folder.remembered(of: store).history
                // Releases the file of the former store before a file is taken for the new one.
                state = following
                if keepsFile { following.file = folder.takeFile(of: store) }
            }
            state = following
            return folder == nil || !keepsFile || state.file != nil
        }
        if !isKept { log.write(LogLine(.warning, "store_history_not_kept", [("text", .text(Self.crowded))])) }
    }

    private static let crowded =
        "Too many servers with this database share the data folder, so this one doesn't notice after a restart that the "
        + "database returned to an older state. Give each a folder of its own with --data DIR."

    /// Compares the history's id and the timeline with the remembered ones. Remembers them if the database may be used.
    private func relate(to facts: ConnectedStore) -> RememberedHistory.Relation {
        let (relation, isDropped) = state.withLock { state -> (RememberedHistory.Relation, Bool) in
            let history = state.current()
            let relation = history.relation(to: facts.id, on: facts.timeline)
            switch relation {
            case .behind, .former: return (relation, false)
            case .same: break
            case .replaced: state.history.begin(facts.id)
            case .returned: state.history.return(to: facts.id)
            }
            if let timeline = facts.timeline { state.history.use(timeline) }
            if state.history != history { state.isUnsaved = true }
            if relation == .replaced {
                // The record of a loss belongs to the former history.
                (state.rewound, state.isRecorded) = (nil, false)
                state.changes += 1
            }
            return (relation, relation == .replaced && !history.events.isEmpty)
        }
        if isDropped { log.write(LogLine(.warning, "store_history_replaced", [("text", .text(Self.replaced))])) }
        return relation
    }

    /// Logs that a connection to a former primary was refused, at most once a minute.
    private func logRefusal(_ error: StoreError) {
        let isDue = state.withLock { state in
            if let loggedAt = state.refusalLoggedAt, loggedAt.advanced(by: .seconds(60)) > .now() { return false }
            state.refusalLoggedAt = .now()
            return true
        }
        if isDue { log.write(LogLine(.error, "store_timeline_refused", [("text", .text(error.message))])) }
    }

    private func compareEvents(on connection: NewConnection, since changes: Int) throws(StoreError) {
        let comparison: EventComparison
        do throws(StoreError) {
            comparison = try EventComparison(of: state.withLock { $0.current() }, on: connection)
        } catch {
            // A damaged row must not prevent the server from using its store. The server's own checks report the
            // damage.
            guard error.code == .corrupt else { throw error }
            return
        }
        var reading = Reading(id: comparison.id, rewound: comparison.rewound, changes: changes)
        let isWriting = connection.purpose == .changes
        if comparison.lost.isEmpty {
            // The loss of these events has been recorded already.
            if !comparison.lacking.isEmpty { forget(comparison.lacking) }
            adopt(reading, isChecked: isWriting)
            return
        }
        guard isWriting else {
            suspect(comparison.lost, reading.rewound)
            return connection.suspect()
        }
        reading.rewound = try connection.perform(
            MendRewound(lost: comparison.lost, last: comparison.last, now: now()).transaction)
        forget(comparison.lacking)
        adopt(reading)
    }

    private func forget(_ lost: Set<ConfirmedEvent>) {
        state.withLock { state in
            state.history.forget(lost)
            state.isUnsaved = true
        }
    }

    /// Remembers a suspected loss until a connection for changes is checked, which records the loss.
    private func suspect(_ lost: [TenantID: ClosedRange<Int64>], _ recorded: RewoundStore?) {
        state.withLock { state in
            if state.rewound != nil { return }
            var rewound = recorded ?? RewoundStore(noticedAt: now(), losses: [:])
            for (tenant, numbers) in lost { rewound.add(numbers, of: tenant, restored: numbers.upperBound) }
            state.rewound = rewound
            state.changes += 1
        }
    }
}
