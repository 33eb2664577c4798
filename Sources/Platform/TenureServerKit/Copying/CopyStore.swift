import TenureCore
public import TenureStore

/// Copies a whole store into another one, of any engine, and compares the two.
///
/// The source is read from one snapshot, so later changes aren't copied. Neither store contains the master key.
public struct CopyStore: Sendable {
    let source: any Store
    let target: any Store
    let tables: [TableShape]

    /// Creates the operation.
    ///
    /// - Parameter tables: The tables to copy; referenced tables come first.
    public init(from source: any Store, to target: any Store, tables: [TableShape]) {
        self.source = source
        self.target = target
        self.tables = tables
    }

    /// The result of copying.
    public enum Outcome: Sendable, Hashable {
        /// The target was written and has the same content as the source's snapshot: the parts with these digests.
        case copied([PartDigest])
        /// The target already had the same content, the parts with these digests, so nothing was written.
        case alreadyThere([PartDigest])
        /// The two stores differ after the copy: the digests of the source's parts, and those of the target's.
        ///
        /// The target stays marked as unfinished, so no server starts on it.
        case differs([PartDigest], target: [PartDigest])
        /// The source is itself an interrupted copy, so nothing was written.
        case sourceIsUnfinished
        /// The target has other content, so nothing was written.
        case targetIsTaken
        /// The target is an unfinished copy of another store, so nothing was written.
        case targetIsAnotherCopy
    }

    /// A step of the operation, for progress reports.
    public enum Step: Sendable, Hashable {
        /// The source is read, and its rows are written to the target.
        case copying
        /// The target is read for the comparison. Without copying, the source is read in this step, too.
        case comparing
    }

    /// Copies all rows, then reads the target and compares the row count and the digest of every part.
    ///
    /// After an interruption, call this again to finish the copy. Until then, the target is marked as unfinished (see
    /// ``UnfinishedCopy``). Throws ``ServerError``.
    ///
    /// - Parameter report: Receives the step, the number of rows that the step has read, and the total of that number.
    public func copy(
        report: @escaping @Sendable (Step, _ done: Int, _ total: Int) -> Void
    ) async throws(ServerError) -> Outcome {
        try await asking { try await copyRows(report) }
    }

    private typealias Report = @Sendable (Step, Int, Int) -> Void

    private func copyRows(_ report: @escaping Report) async throws(StoreError) -> Outcome {
        if try await source.setting(UnfinishedCopy.setting) != nil { return .sourceIsUnfinished }
        let note = try await UnfinishedCopy.note(for: source)
        return try await source.reading { snapshot in
            let counts = try await count(snapshot)
            let found = try await target.reading { target in try await count(target) }
            if let unfinished = try await target.setting(UnfinishedCopy.setting) {
                guard unfinished == note else { return .targetIsAnotherCopy }
                // The source may have deleted stored responses and jobs that the interrupted copy still contains.
                while try await RetentionSweep.answers.removeBatch(in: target, where: [], isOver: { _ in true }) {}
                while try await RetentionSweep.jobs.removeBatch(in: target, where: [], isOver: { _ in true }) {}
            } else if found.contains(where: { $0 > 0 }) {
                return try await compareOnly(snapshot, counts, found, report)
            } else {
                try await UnfinishedCopy.save(note, in: target)
            }
            let total = counts.reduce(0, +)
            let copied = try await adopt(snapshot, total: total, report)
            let kept = try await digests(of: target, total: total, report)
            guard copied == kept else { return .differs(copied, target: kept) }
            try await UnfinishedCopy.save(nil, in: target)
            return .copied(copied)
        }
    }

    /// Compares the source with a target that already has rows, because the target may be a finished copy.
    ///
    /// Nothing is written.
    private func compareOnly(
        _ snapshot: any StoreSnapshot, _ counts: [Int], _ found: [Int], _ report: @escaping Report
    ) async throws(StoreError) -> Outcome {
        guard counts == found else { return .targetIsTaken }
        let total = counts.reduce(0, +)
        let wanted = try await read(snapshot) { done in report(.comparing, done, 2 * total) }
        let kept = try await target.reading { target in
            try await read(target) { done in report(.comparing, total + done, 2 * total) }
        }
        return wanted == kept ? .alreadyThere(wanted) : .targetIsTaken
    }

    /// Counts the rows of every table, without reports of running servers. Skips the tables with the catalog's
    /// versions, which have rows even in a new store.
    private func count(_ snapshot: any StoreSnapshot) async throws(StoreError) -> [Int] {
        var counts: [Int] = []
        for table in tables where table.isCounted {
            let left = table === SettingRecord.table.shape ? try await ServerReport.count(in: snapshot) : 0
            counts.append(try await snapshot.count(of: table) - left)
        }
        return counts
    }

    private func adopt(
        _ snapshot: any StoreSnapshot, total: Int, _ report: Report
    ) async throws(StoreError) -> [PartDigest] {
        let digests = PartDigests(tables)
        var done = 0
        try await walk(snapshot) { page, table throws(StoreError) in
            try await target.adopt(page, of: table)
            done += digests.add(page, of: table)
            report(.copying, done, total)
        }
        return digests.digests
    }

    private func digests(
        of store: any Store, total: Int, _ report: @escaping Report
    ) async throws(StoreError) -> [PartDigest] {
        try await store.reading { snapshot in try await read(snapshot) { done in report(.comparing, done, total) } }
    }

    private func read(
        _ snapshot: any StoreSnapshot, _ report: (_ done: Int) -> Void
    ) async throws(StoreError) -> [PartDigest] {
        let digests = PartDigests(tables)
        var done = 0
        try await walk(snapshot) { page, table throws(StoreError) in
            done += digests.add(UnfinishedCopy.leavingOutNote(page, of: table), of: table)
            report(done)
        }
        return digests.digests
    }

    /// Reads the tables in order, page by page, without reports of running servers.
    private func walk(
        _ snapshot: any StoreSnapshot,
        _ body: (_ page: [StoredRow], _ table: TableShape) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        for table in tables {
            var last: StoredRow?
            repeat {
                let page = try await snapshot.page(of: table, after: last, limit: Self.pageSize)
                let copied = ServerReport.leavingOutReports(page, of: table)
                if !copied.isEmpty { try await body(copied, table) }
                last = page.count == Self.pageSize ? page.last : nil
            } while last != nil
        }
    }

    private static let pageSize = 5_000
}

extension Store {
    /// Runs a closure with a snapshot of the store and ends the snapshot afterwards.
    fileprivate func reading<Result>(
        _ body: (any StoreSnapshot) async throws -> Result
    ) async throws(StoreError) -> Result {
        let snapshot = try await snapshot()
        do {
            let result = try await body(snapshot)
            await snapshot.end()
            return result
        } catch {
            await snapshot.end()
            throw StoreError(thrown: error)
        }
    }
}
