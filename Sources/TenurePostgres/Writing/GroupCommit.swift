import TenureCore
import TenureStore

/// Carries many changes in one transaction, so that they share two round trips and one wait for the disk.
///
/// The first round trip locks the licenses in the order of their ids and loads all rows; the changes decide in their
/// order, each on what those before it left; the second round trip saves and commits.
struct GroupCommit {
    let connection: Connection

    /// What came of each change.
    enum Outcome {
        case saved
        case failed(StoreError)
        /// Not carried out: it goes first in the next group.
        case postponed
    }

    /// Carries out the changes in order; at least the first of them is carried out or fails.
    ///
    /// A group of which one change cannot be saved is carried out again, each change in a transaction of its own.
    ///
    /// Throws when the connection was lost and nothing was saved, so that the group can be carried out over another.
    func carryOut(_ group: [any WaitingChange]) throws(StoreError) -> [Outcome] {
        let alone = group[0].keys.isWholeCatalog
        let together = alone ? Array(group.prefix(1)) : Array(group.prefix { change in !change.keys.isWholeCatalog })
        var outcomes: [Outcome]
        do {
            let count = try retrying { () throws(StoreError) in try attempt(together, isAlone: alone) }
            outcomes = Array(repeating: .saved, count: count)
        } catch {
            if connection.isLost, !connection.isOutcomeUnknown { throw error }
            if error.concernsAll || together.count == 1 {
                outcomes = together.map { _ in .failed(error.forCallers) }
            } else {
                outcomes = together.map(apart)
            }
        }
        return outcomes + Array(repeating: .postponed, count: group.count - outcomes.count)
    }

    private func apart(_ change: any WaitingChange) -> Outcome {
        do {
            try retrying { () throws(StoreError) in _ = try attempt([change], isAlone: false) }
            return .saved
        } catch {
            return .failed(error.forCallers)
        }
    }

    /// Tries again what stood in another server's way: its transaction was undone whole.
    private func retrying<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        for _ in 1..<Self.attempts {
            do {
                return try body()
            } catch {
                if error.code != .conflict { throw error }
            }
        }
        return try body()
    }

    private static let attempts = 5

    /// Carries out as many changes as can go in one transaction; answers how many.
    /// - Parameter isAlone: The one change has the catalog for itself.
    private func attempt(_ group: [any WaitingChange], isAlone: Bool) throws(StoreError) -> Int {
        let keys = GroupKeys(group)
        let opening = [Statement(.begin), Statement(isAlone ? .lockCatalog : .shareCatalog)]
        do {
            var answers = Array(try connection.roundTrip(opening + keys.statements).dropFirst(2))
            let before = try RunningState(answers, to: keys, of: group)
            answers = []
            if isAlone {
                let loaded = try loadAlone(group[0].keys, over: before)
                let writes = group[0].decide(loaded)
                try save(
                    writes.inTurns.flatMap { $0.statements(over: nil) },
                    raisingVersion: writes.contains(where: \.concernsCatalog))
                return 1
            }
            return try decideAndSave(group, from: before)
        } catch {
            if !connection.isLost { _ = try? connection.run(.rollback) }
            throw error
        }
    }

    private func decideAndSave(_ group: [any WaitingChange], from before: RunningState) throws(StoreError) -> Int {
        var state = before
        var saving = GroupWrites()
        var count = 0
        for change in group {
            guard let loaded = state.loaded(for: change.keys) else { break }
            let writes = change.decide(loaded)
            if writes.contains(where: \.concernsCatalog) {
                if count > 0 { break }
                try connection.run(.rollback)
                return try attempt([change], isAlone: true)
            }
            state.apply(writes, of: loaded)
            saving.add(writes)
            count += 1
        }
        try save(saving.statements(over: before), raisingVersion: false)
        return count
    }

    private func loadAlone(_ keys: LoadKeys, over state: RunningState) throws(StoreError) -> Loaded {
        guard var loaded = state.loaded(for: keys) else { throw .unreadable("seats of a license") }
        if keys.catalog {
            loaded.catalog = try connection.readCatalog()
            for (policy, count) in try connection.all(.licensesPerPolicy, [], PolicyRef.readCount) {
                loaded.licensesPerPolicy[policy] = count
            }
            for (tenant, item, count) in try connection.all(.licensesPerApp, [], AppleItemID.readCount) {
                loaded.licensesPerApp[tenant, default: [:]][item] = count
            }
        }
        if let tenant = keys.signingKeysOf {
            loaded.signingKeys = try connection.all(.signingKeysOfTenant, [.slug(tenant)], SigningKeyRecord.read)
        }
        if let name = keys.setting {
            loaded.setting = try connection.first(.setting, [.text(name)], { row in row.bytes(0) })
        }
        return loaded
    }

    private func save(_ statements: [Statement], raisingVersion: Bool) throws(StoreError) {
        if statements.isEmpty {
            try connection.run(.rollback)
        } else {
            let raising = raisingVersion ? [Statement(.raiseCatalogVersion)] : []
            _ = try connection.roundTrip(raising + statements + [Statement(.commit)], committing: true)
        }
    }
}

extension LoadKeys {
    /// Whether the change looks at what no row lock guards, and needs the catalog's lock for itself.
    fileprivate var isWholeCatalog: Bool { catalog || signingKeysOf != nil || setting != nil }
}

extension SQL {
    fileprivate static let shareCatalog = SQL("SELECT pg_advisory_xact_lock_shared(", AdvisoryLock.space, ", 2)")
    fileprivate static let lockCatalog = SQL("SELECT pg_advisory_xact_lock(", AdvisoryLock.space, ", 2)")
}
