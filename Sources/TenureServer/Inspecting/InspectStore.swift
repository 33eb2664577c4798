package import TenureCore
package import TenureServerKit
package import TenureStore

/// Reads every row of a store, of one moment, and tells of each that cannot be right, by table, row and column.
package struct InspectStore: Sendable {
    private let store: any Store

    /// Reads this store; servers may go on with it.
    package init(_ store: any Store) { self.store = store }

    /// What was found.
    package struct Outcome: Sendable {
        /// How many rows were read.
        package var rows = 0
        /// What is damaged.
        package var faults: [Inspection.Fault] = []
        /// How many more there are than are told.
        package var further = 0
    }

    /// Reads it. Throws `StoreError` when the store cannot be read at all; rows that cannot be read are told.
    /// - Parameter report: Told how many rows of how many are done.
    package func callAsFunction(
        at now: Timestamp, under master: MasterKey?, report: (_ done: Int, _ total: Int) -> Void
    ) async throws(StoreError) -> Outcome {
        // A store that was put back has forgotten the mark, and not the event.
        let leaps = try await store.list(
            Listing(EventRecord.table.all, where: [[.equals("kind", EventKind.clockAccepted)]], limit: 1))
        let mark = try await ClockMark.read(from: store)
        let mayLeap = !leaps.isEmpty || mark.accepted != nil
        let inspection = Inspection(at: now, under: master, mayLeap: mayLeap)
        let snapshot = try await store.snapshot()
        var outcome = Outcome()
        do throws(StoreError) {
            outcome.rows = try await read(snapshot, inspection, report)
            await snapshot.end()
        } catch {
            await snapshot.end()
            throw error
        }
        if let last = try await store.view(LastEvent.given).first, let number = last {
            let found = try await ContinueEvents.last(of: store) ?? 0
            if found < number {
                inspection.tell(
                    EventRecord.table.shape, "\(found + 1) to \(number)", nil, "the last events are gone")
            }
        }
        (outcome.faults, outcome.further) = (inspection.faults, inspection.further)
        return outcome
    }

    private func read(
        _ snapshot: any StoreSnapshot, _ inspection: Inspection, _ report: (Int, Int) -> Void
    ) async throws(StoreError) -> Int {
        let laws = Rooms.all.flatMap { $0.laws(inspection) } + RowLaw.server(inspection)
        // What others name is read before them: laws of one table remember what those of another ask for.
        let tables = StoreSchema.tenure.tables.filter { !$0.keyColumns.isEmpty }.sorted {
            !$0.isAppendOnly && $1.isAppendOnly
        }
        var total = 0
        // Only for the bar: what cannot be counted is told when it is read.
        for table in tables { total += (try? await snapshot.count(of: table)) ?? 0 }
        var done = 0
        for table in tables {
            let own = laws.filter { $0.table === table }
            let isWhole = try await rows(of: table, in: snapshot, inspection) { page in
                for row in page { for law in own { law.look(row) } }
                done += page.count
                report(done, total)
            }
            if isWhole { for law in own { law.end() } } else { inspection.doubt(table) }
        }
        return done
    }

    /// Reads the rows from the first on; where one cannot be read, those behind it from the last on.
    private func rows(
        of table: TableShape, in snapshot: any StoreSnapshot, _ inspection: Inspection, _ look: ([StoredRow]) -> Void
    ) async throws(StoreError) -> Bool {
        let front = try await pages(of: table, in: snapshot, isBackwards: false, look)
        guard let fault = front.fault else { return true }
        let back = try await pages(of: table, in: snapshot, isBackwards: true, look)
        let after = front.last.map { "after \(Self.name(of: $0, in: table))" } ?? "the first"
        let before = back.last.map { ", before \(Self.name(of: $0, in: table))" } ?? ""
        inspection.tell(table, after + before, nil, "cannot be read: \(fault.description)")
        return false
    }

    private func pages(
        of table: TableShape, in snapshot: any StoreSnapshot, isBackwards: Bool, _ look: ([StoredRow]) -> Void
    ) async throws(StoreError) -> (last: StoredRow?, fault: StoreError?) {
        var last: StoredRow?
        var limit = 1_000
        while true {
            do throws(StoreError) {
                let page = try await snapshot.page(of: table, after: last, isBackwards: isBackwards, limit: limit)
                look(page)
                last = page.last ?? last
                if page.count < limit { return (last, nil) }
            } catch {
                guard error.code == .corrupt else { throw error }
                if limit == 1 { return (last, error) }
                limit = max(1, limit / 10)
            }
        }
    }

    private static func name(of row: StoredRow, in table: TableShape) -> String {
        table.keyColumns.map { place in
            let column = table.columns[place]
            return "\(column.name) \(table.value(of: column, in: row).shown)"
        }.joined(separator: ", ")
    }
}

extension StoredValue {
    fileprivate var shown: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "of \(bytes.count) bytes"
        case .flag(let flag): "\(flag)"
        case .name(let high, let low): "\(ActivationID(high: high, low: low))"
        case .null: "none"
        }
    }
}

/// The number of the last event that was ever given.
private enum LastEvent {
    /// SQLite takes numbers back with what was not committed, so one that is given is an event. PostgreSQL does not.
    static let given = View<Int64?>(
        "the last number of an event", touches: [],
        sqlite: "SELECT seq FROM sqlite_sequence WHERE name = 'events'", postgres: "SELECT NULL::bigint"
    ) { row throws(StoreError) in try row.next() }
}
