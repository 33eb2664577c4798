import TenureStore

/// Runs many changes in one transaction, so that they share two round trips and one wait for the disk.
///
/// The first round trip takes advisory locks and row locks, each in a fixed order, and loads all rows. The changes then
/// decide in order, each on the state that the previous one left. The second round trip saves the difference and
/// commits.
struct GroupCommit {
    let connection: Connection
    /// Receives the rows that were added to append-only tables.
    var observer: ConnectionObserver?

    enum Outcome {
        case saved
        case failed(StoreError)
        /// The change wasn't performed; it goes first in the next group.
        case postponed
    }

    /// Performs the changes in order; at least the first one is performed or fails.
    ///
    /// If a change of the group can't be saved, each change is performed again in its own transaction, unless the cause
    /// affects all changes. Throws if the connection was lost and nothing was saved, so that the group can run on
    /// another connection.
    func carryOut(_ group: [any WaitingChange]) throws(StoreError) -> [Outcome] {
        let alone = group[0].bound.plan.isAlone
        let together = alone ? Array(group.prefix(1)) : Array(group.prefix { change in !change.bound.plan.isAlone })
        var outcomes: [Outcome]
        do {
            let count = try retrying { try attempt(together) }
            outcomes = Array(repeating: .saved, count: count)
        } catch {
            if connection.isLost, !connection.isOutcomeUnknown { throw error }
            if error.concernsAll {
                let failure = explained(error).forCallers
                outcomes = together.map { _ in .failed(failure) }
            } else {
                outcomes = together.map { apart($0, decisions: together.count == 1 ? 3 : 4) }
            }
        }
        return outcomes + Array(repeating: .postponed, count: group.count - outcomes.count)
    }

    /// Adds the wait for a synchronous standby to an error, if commits wait for one. Otherwise the rows and locks of
    /// the waiting commits look like the cause.
    private func explained(_ error: StoreError) -> StoreError {
        guard [.busy, .unconfirmed].contains(error.code), !connection.isLost,
            let waits = try? connection.answers(StandbyWait.query.shape, []), let wait = waits.first as? StandbyWait
        else { return error }
        return error.waiting(for: wait)
    }

    /// Performs a change in its own transaction and saves its rows in the given order.
    ///
    /// If a key turns out to be taken, the change decides again and then sees the row that was inserted in the
    /// meantime.
    private func apart(_ change: any WaitingChange, decisions: Int) -> Outcome {
        var again = decisions
        while true {
            do {
                try retrying { _ = try attempt([change], inTurns: true) }
                return .saved
            } catch {
                again -= 1
                if again == 0 || error.code != .taken { return .failed(error.forCallers) }
            }
        }
    }

    /// Retries a transaction that conflicted with another server's and was rolled back.
    private func retrying<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        for _ in 1..<Self.attempts {
            do {
                return try storeErrors(body)
            } catch {
                if error.code != .conflict { throw error }
            }
        }
        return try storeErrors(body)
    }

    private static let attempts = 5

    /// Performs as many changes as fit in one transaction and returns their number.
    private func attempt(_ group: [any WaitingChange], inTurns: Bool = false) throws(StoreError) -> Int {
        try connection.transaction {
            try load(group)
            let batch = connection.batch
            var saves: [RowWrite] = []
            var count = 0
            while count < group.count, let results = batch.results(count) {
                saves = group[count].decide(results)
                if !inTurns { try batch.apply(saves) }
                count += 1
            }
            if count == 0 { throw StoreError.unsettled }
            if inTurns {
                let turns = saves.filter { !$0.table.isAppendOnly }.map(BatchState.Difference.init)
                for turn in turns { connection.save([turn]) }
                connection.save(BatchState.Difference.appending(saves))
            } else {
                connection.save(batch.differences)
            }
            try commit()
            return count
        }
    }

    private func load(_ group: [any WaitingChange]) throws(StoreError) {
        connection.batch.clear()
        connection.appended = []
        for change in group { connection.batch.ask(change.bound) }
        connection.outgoing.add(.begin)
        connection.outgoing.add(group[0].bound.plan.isAlone ? .lockCatalog : .shareCatalog)
        connection.hold(group.map(\.bound))
        let opening = connection.outgoing.statements.count
        let load = GroupLoad(connection.batch.loading, on: connection, isLocking: true)
        try load.take(try connection.roundTrip().dropFirst(opening))
        try load.settle()
    }

    private func commit() throws(StoreError) {
        // A change that writes nothing may have read a row whose commit isn't on the standby yet.
        if connection.outgoing.statements.isEmpty { connection.outgoing.add(.waitForStandby) }
        connection.outgoing.add(.commit)
        let answers = try connection.roundTrip(committing: true)
        if let observer { connection.report(answers, to: observer) }
    }
}

extension Connection {
    /// Adds the statement that takes the advisory locks of all plans, if they declare any.
    fileprivate func hold(_ group: [BoundQuery]) {
        var guards: [(lock: QueryLock, list: [StoredValue])] = []
        for bound in group {
            for (lock, list) in bound.plan.guards {
                if let position = guards.firstIndex(where: { $0.lock === lock }) {
                    guards[position].list += bound.lists[list]
                } else {
                    guards.append((lock, bound.lists[list]))
                }
            }
        }
        if guards.isEmpty { return }
        outgoing.add(texts.guards(guards.map(\.lock)).sql)
        for (lock, list) in guards { outgoing.bind(list, lock.parameters) }
    }
}

extension StoreError {
    /// An error for a group whose first change already depends on rows that changed while they were loaded.
    fileprivate static let unsettled = StoreError(
        .conflict, "Rows that a transaction depends on were changed while it read them.")
}

extension SQL {
    /// The statement that makes the commit wait for the synchronous standby, if there is one.
    ///
    /// PostgreSQL waits only for a transaction that has an id and has written to the log.
    fileprivate static let waitForStandby = SQL(
        """
        SELECT pg_logical_emit_message(true, 'tenure', '') IS NULL
        WHERE current_setting('synchronous_standby_names') <> ''
        """)
    fileprivate static let shareCatalog = SQL("SELECT pg_advisory_xact_lock_shared(", AdvisoryLock.space, ", 2)")
    fileprivate static let lockCatalog = SQL("SELECT pg_advisory_xact_lock(", AdvisoryLock.space, ", 2)")
}
