import TenureCore
public import TenureServerKit
public import TenureStore

/// Copies everything that a store holds into another one, of whichever engine, and compares the two.
///
/// The source is read as one moment; what is written to it later is not in the copy. The master key is in neither store.
public struct CopyStore: Sendable {
    let source: any Store
    let target: any Store
    let tables: [TableShape]

    /// Copies from one to the other.
    /// - Parameter tables: What is copied, tables that are named before those that name them.
    public init(from source: any Store, to target: any Store, tables: [TableShape] = StoreSchema.tenure.tables) {
        self.source = source
        self.target = target
        self.tables = tables
    }

    /// What the copy comes to.
    public enum Outcome: Sendable, Hashable {
        /// The target holds what the source held.
        case copied([PartDigest])
        /// The target held just that already; nothing was written.
        case alreadyThere([PartDigest])
        /// The two differ after the copy; the target is not fit to be served, and says so.
        case differs([PartDigest], target: [PartDigest])
        /// The source is itself a copy that was interrupted; nothing was written.
        case sourceIsUnfinished
        /// The target holds something else; nothing was written.
        case targetIsTaken
        /// The target is an unfinished copy of another store; nothing was written.
        case targetIsAnotherCopy
    }

    /// What is being done.
    public enum Step: Sendable, Hashable {
        /// Reading the source and saving its rows in the target.
        case copying
        /// Reading the target again.
        case comparing
    }

    /// Copies, then reads the target again and compares counts and digests of every part.
    ///
    /// After an interruption the same call does what is left; until it has, the target holds a note that it is
    /// unfinished (``UnfinishedCopy``). Throws ``ServerError``.
    /// - Parameter report: Told how many rows of how many are done.
    public func callAsFunction(
        report: @escaping @Sendable (Step, _ done: Int, _ total: Int) -> Void
    ) async throws(ServerError) -> Outcome {
        try await asking { () async throws(StoreError) in try await copy(report) }
    }

    private typealias Report = @Sendable (Step, Int, Int) -> Void

    private func copy(_ report: @escaping Report) async throws(StoreError) -> Outcome {
        if try await source.setting(UnfinishedCopy.setting) != nil { return .sourceIsUnfinished }
        let note = try await UnfinishedCopy.note(for: source)
        return try await source.reading { snapshot throws(StoreError) in
            let counts = try await count(snapshot)
            let found = try await target.reading { target throws(StoreError) in try await count(target) }
            if let unfinished = try await target.setting(UnfinishedCopy.setting) {
                guard unfinished == note else { return .targetIsAnotherCopy }
                // A source that went on has forgotten answers and done jobs that the interrupted copy holds.
                while try await Forgetting.answers(in: target, where: [], isOver: { _ in true }) {}
                while try await Forgetting.jobs(in: target, where: [], isOver: { _ in true }) {}
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

    /// A finished copy that is asked for again is found to be one; anything else is left alone.
    private func compareOnly(
        _ snapshot: any StoreSnapshot, _ counts: [Int], _ found: [Int], _ report: @escaping Report
    ) async throws(StoreError) -> Outcome {
        guard counts == found else { return .targetIsTaken }
        let total = counts.reduce(0, +)
        let wanted = try await read(snapshot) { done in report(.comparing, done, 2 * total) }
        let kept = try await target.reading { target throws(StoreError) in
            try await read(target) { done in report(.comparing, total + done, 2 * total) }
        }
        return wanted == kept ? .alreadyThere(wanted) : .targetIsTaken
    }

    /// Counts the rows of every table; the one row that a new store has already is none.
    private func count(_ snapshot: any StoreSnapshot) async throws(StoreError) -> [Int] {
        var counts: [Int] = []
        for table in tables where table.isCounted { counts.append(try await snapshot.count(of: table)) }
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
        try await store.reading { snapshot throws(StoreError) in
            try await read(snapshot) { done in report(.comparing, done, total) }
        }
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

    /// Reads the tables in their order, page by page.
    private func walk(
        _ snapshot: any StoreSnapshot,
        _ body: (_ page: [StoredRow], _ table: TableShape) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        for table in tables {
            var last: StoredRow?
            repeat {
                let page = try await snapshot.page(of: table, after: last, limit: Self.pageSize)
                if !page.isEmpty { try await body(page, table) }
                last = page.count == Self.pageSize ? page.last : nil
            } while last != nil
        }
    }

    private static let pageSize = 5_000
}

extension Store {
    /// Lends a moment of the store.
    fileprivate func reading<Result>(
        _ body: (any StoreSnapshot) async throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let snapshot = try await snapshot()
        do {
            let result = try await body(snapshot)
            await snapshot.end()
            return result
        } catch {
            await snapshot.end()
            throw error
        }
    }
}
