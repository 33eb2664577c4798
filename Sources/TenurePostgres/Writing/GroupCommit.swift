import TenureSQL
import TenureStore

/// Carries many changes in one transaction, so that they share two round trips and one wait for the disk.
///
/// The first round trip takes guards and locks, each in an order of their own, and loads all rows; the changes decide in
/// their order, each on what those before it left; the second round trip saves the difference and commits.
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
        let alone = group[0].asked.form.isAlone
        let together = alone ? Array(group.prefix(1)) : Array(group.prefix { change in !change.asked.form.isAlone })
        var outcomes: [Outcome]
        do {
            let count = try retrying { () throws(StoreError) in try attempt(together) }
            outcomes = Array(repeating: .saved, count: count)
        } catch {
            if connection.isLost, !connection.isOutcomeUnknown { throw error }
            if error.concernsAll {
                outcomes = together.map { _ in .failed(error.forCallers) }
            } else {
                outcomes = together.map { apart($0, decisions: together.count == 1 ? 3 : 4) }
            }
        }
        return outcomes + Array(repeating: .postponed, count: group.count - outcomes.count)
    }

    /// Carries a change out in a transaction of its own, saving in the order in which it says so.
    ///
    /// When a key turns out to be taken, it decides again: then it sees the row that came in between.
    private func apart(_ change: any WaitingChange, decisions: Int) -> Outcome {
        var again = decisions
        while true {
            do {
                try retrying { () throws(StoreError) in _ = try attempt([change], inTurns: true) }
                return .saved
            } catch {
                again -= 1
                if again == 0 || error.code != .taken { return .failed(error.forCallers) }
            }
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
    private func attempt(_ group: [any WaitingChange], inTurns: Bool = false) throws(StoreError) -> Int {
        try connection.transaction { () throws(StoreError) in
            try load(group)
            let batch = connection.batch
            var saves: [Save] = []
            var count = 0
            while count < group.count, let seen = batch.seen(count) {
                saves = group[count].decide(seen)
                if !inTurns { try batch.apply(saves) }
                count += 1
            }
            if count == 0 { throw .unsettled }
            if inTurns {
                let turns = saves.map(BatchDifference.init)
                for turn in turns where turn.appended.isEmpty { connection.save([turn]) }
                connection.save(turns.filter { !$0.appended.isEmpty })
            } else {
                connection.save(batch.differences)
            }
            try commit()
            return count
        }
    }

    private func load(_ group: [any WaitingChange]) throws(StoreError) {
        connection.batch.clear()
        for change in group { connection.batch.ask(change.asked) }
        connection.outgoing.add(.begin)
        connection.outgoing.add(group[0].asked.form.isAlone ? .lockCatalog : .shareCatalog)
        connection.hold(group.map(\.asked))
        let opening = connection.outgoing.statements.count
        let load = GroupLoad(connection.batch.loading, on: connection, isLocking: true)
        try load.take(try connection.roundTrip().dropFirst(opening))
        try load.settle()
    }

    private func commit() throws(StoreError) {
        if connection.outgoing.statements.isEmpty {
            try connection.run(.rollback)
        } else {
            connection.outgoing.add(.commit)
            _ = try connection.roundTrip(committing: true)
        }
    }
}

extension Connection {
    /// Adds the statement that takes the guards of all forms, if there are any.
    fileprivate func hold(_ group: [Asked]) {
        var guards: [(lock: Guard, list: [StoredValue])] = []
        for asked in group {
            for (lock, list) in asked.form.guards {
                if let place = guards.firstIndex(where: { $0.lock === lock }) {
                    guards[place].list += asked.lists[list]
                } else {
                    guards.append((lock, asked.lists[list]))
                }
            }
        }
        if guards.isEmpty { return }
        outgoing.add(texts.guards(guards.map(\.lock)).sql)
        for (lock, list) in guards { outgoing.bind(list, lock.parameters) }
    }
}

extension StoreError {
    /// Even the first change of a group asks what was changed while it was loaded.
    fileprivate static let unsettled = StoreError(
        .conflict, "Rows that a change follows from one another were changed while it read them.")
}

extension SQL {
    fileprivate static let shareCatalog = SQL("SELECT pg_advisory_xact_lock_shared(", AdvisoryLock.space, ", 2)")
    fileprivate static let lockCatalog = SQL("SELECT pg_advisory_xact_lock(", AdvisoryLock.space, ", 2)")
}
