package import TenureCore
package import TenureStore

/// Reads every row of a store from one snapshot and reports damage by table, row and column.
package struct InspectStore: Sendable {
    private let features: FeatureSet
    private let store: any Store

    /// Creates the operation for a store. Servers may use the store during the inspection.
    package init(_ store: any Store, of features: FeatureSet) {
        self.store = store
        self.features = features
    }

    /// The result of an inspection.
    package struct Outcome: Sendable {
        /// The number of rows read.
        package var rows = 0
        /// The first faults, at most ``Inspection/most``.
        package var faults: [Inspection.Fault] = []
        /// The number of faults beyond ``faults``.
        package var further = 0
        /// The rows whose texts an earlier version folded differently, at most ``Inspection/most``.
        package var staleFolds: [String] = []
    }

    /// Inspects the store.
    ///
    /// - Parameters:
    ///   - master: The key for decrypting secrets; if it's `nil`, secrets aren't checked.
    ///   - report: Receives the number of rows that were read and the number of all rows.
    /// - Throws: `StoreError` if the store can't be read at all. Unreadable rows are reported as faults.
    package func inspect(
        at now: Timestamp, under master: MasterKey?, report: (_ done: Int, _ total: Int) -> Void
    ) async throws(StoreError) -> Outcome {
        let schemaFaults = try await store.schemaFaults(of: features.schema)
        // A table that lacks a column can't be read.
        let unreadable = Set(schemaFaults.lazy.filter(\.isMissingData).map(\.table))
        let inspection = Inspection(at: now, under: master, mayLeap: try await mayLeap(without: unreadable))
        let snapshot = try await store.snapshot()
        var outcome = Outcome()
        do throws(StoreError) {
            outcome.rows = try await read(snapshot, inspection, without: unreadable, &outcome.staleFolds, report)
            await snapshot.end()
        } catch {
            await snapshot.end()
            throw error
        }
        for fault in schemaFaults {
            inspection.tell(fault.table, fault.object, nil, fault.sentence)
        }
        (outcome.faults, outcome.further) = (inspection.faults, inspection.further)
        return outcome
    }

    /// Whether an operator has ever accepted a clock change, so that a later record may have an earlier date.
    private func mayLeap(without unreadable: Set<String>) async throws(StoreError) -> Bool {
        if !unreadable.contains(SettingRecord.table.shape.name),
            try await ClockWatch.Mark.read(from: store).accepted != nil
        {
            return true
        }
        // A restored store has no clock mark, so this also looks for the event.
        guard !unreadable.contains(EventRecord.table.shape.name) else { return false }
        let leaps = try await store.list(
            Listing(EventRecord.table.all, where: [[.equals("kind", EventKind.clockAccepted)]], limit: 1))
        return !leaps.isEmpty
    }

    private func read(
        _ snapshot: any StoreSnapshot, _ inspection: Inspection, without unreadable: Set<String>,
        _ staleFolds: inout [String], _ report: (Int, Int) -> Void
    ) async throws(StoreError) -> Int {
        let invariants = RowInvariant.all(inspection, of: features)
        for table in features.schema.tables where unreadable.contains(table.name) { inspection.doubt(table) }
        let readable = features.schema.tables.filter { !unreadable.contains($0.name) }
        for table in readable where table.keyColumns.isEmpty {
            if try await snapshot.count(of: table) != 1 { inspection.tell(table, "its only row", nil, "is missing") }
        }
        // Append-only tables are read last, because their checks need the ids that were read from the other tables.
        let tables = readable.filter { !$0.keyColumns.isEmpty }.sorted {
            !$0.isAppendOnly && $1.isAppendOnly
        }
        let referenced = Set(tables.flatMap { $0.foreignKeys.map(\.table.name) })
        var total = 0
        // The total is only for the progress bar. If a table can't be counted, reading it reports the damage.
        for table in tables { total += (try? await snapshot.count(of: table)) ?? 0 }
        var done = 0
        for table in tables {
            let own =
                invariants.filter { $0.table === table } + [
                    .references(of: table, inspection, isReferenced: referenced.contains(table.name))
                ]
            let isWhole = try await rows(of: table, in: snapshot, inspection) { page in
                for row in page {
                    for law in own { law.look(row) }
                    if row.hasStaleFold, staleFolds.count < Inspection.most {
                        staleFolds.append("\(table.name), \(table.name(of: row))")
                    }
                }
                done += page.count
                report(done, total)
            }
            if isWhole { for law in own { law.end() } } else { inspection.doubt(table) }
        }
        return done
    }

    /// Reads a table's rows from the first one on. Returns whether all rows were read.
    ///
    /// If a row can't be read, this also reads backwards from the last row, and reports the gap between the readable
    /// rows.
    private func rows(
        of table: TableShape, in snapshot: any StoreSnapshot, _ inspection: Inspection, _ look: ([StoredRow]) -> Void
    ) async throws(StoreError) -> Bool {
        let front = try await pages(of: table, in: snapshot, isBackwards: false, look)
        guard let fault = front.fault else { return true }
        let back = try await pages(of: table, in: snapshot, isBackwards: true, look)
        for fault in [fault, back.fault] {
            guard let fault, let location = fault.location else { continue }
            inspection.tell(table, location.row, location.column, "cannot be read: \(fault.description)")
            // Both directions stop at the same row if only one is damaged.
            if location.row == front.fault?.location?.row, location.row == back.fault?.location?.row { break }
        }
        let after = front.last.map { "after \(table.name(of: $0))" } ?? "the first"
        let before = back.last.map { ", before \(table.name(of: $0))" } ?? ""
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
}

extension RowInvariant {
    /// The invariants of all tables.
    package static func all(_ inspection: Inspection, of features: FeatureSet) -> [RowInvariant] {
        features.all.flatMap { $0.invariants(inspection) } + server(inspection, of: features)
    }
}
