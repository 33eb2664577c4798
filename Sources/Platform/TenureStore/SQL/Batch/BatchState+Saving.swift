extension BatchState {
    /// The rows that a group of changes writes to one table, each once.
    package struct Difference {
        package let table: TableShape
        package internal(set) var inserted: [StoredRow] = []
        /// Changed rows, grouped by the mask of the columns that differ.
        package internal(set) var updated: [(mask: UInt64, rows: [StoredRow])] = []
        /// Deleted rows, in their previous state.
        package internal(set) var removed: [StoredRow] = []
        /// New rows of an append-only table, in the order in which they get their numbers.
        package internal(set) var appended: [StoredRow] = []

        init(_ table: TableShape) { self.table = table }

        /// Creates the difference of a single row, for changes whose rows are saved one after the other.
        package init(_ save: RowWrite) {
            self.init(save.table)
            add(from: save.before, to: save.after, refolding: save.refolds)
        }

        /// The rows that a change adds to append-only tables, one difference per table.
        package static func appending(_ saves: [RowWrite]) -> [Difference] {
            var differences: [Difference] = []
            for save in saves where save.table.isAppendOnly {
                guard let row = save.after else { continue }
                if let position = differences.firstIndex(where: { $0.table === save.table }) {
                    differences[position].appended.append(row)
                } else {
                    var difference = Difference(save.table)
                    difference.appended = [row]
                    differences.append(difference)
                }
            }
            return differences
        }

        mutating func add(from before: StoredRow?, to after: StoredRow?, refolding refolds: Bool) {
            switch (before, after) {
            case (nil, let row?): inserted.append(row)
            case (let row?, nil): removed.append(row)
            case (let before?, let row?):
                let mask = table.difference(between: before, and: row) | (refolds ? table.folds : 0)
                if mask == 0 { return }
                if let position = updated.firstIndex(where: { $0.mask == mask }) {
                    updated[position].rows.append(row)
                } else {
                    updated.append((mask, [row]))
                }
            case (nil, nil): break
            }
        }
    }

    /// Applies the saves of a change to the in-memory state.
    ///
    /// Throws `.taken` for a new row whose key is taken, and `.failed` for a replacement of a row that doesn't exist.
    package func apply(_ saves: [RowWrite]) throws(StoreError) {
        for save in saves { try apply(save) }
    }

    /// The rows that all changes together have written, by table; referenced tables come first.
    package var differences: [BatchState.Difference] {
        var differences: [BatchState.Difference] = []
        for table in tables where !table.saved.isEmpty || !table.appended.isEmpty {
            var difference = BatchState.Difference(table.shape)
            difference.appended = table.appended
            for row in table.saved {
                difference.add(
                    from: rows[row].before, to: rows[row].now, refolding: rows[row].isRefolded)
            }
            differences.append(difference)
        }
        return differences.sorted { ($0.table.rank, $0.table.name) < ($1.table.rank, $1.table.name) }
    }

    private func apply(_ save: RowWrite) throws(StoreError) {
        let position = position(of: save.table)
        guard let named = save.after ?? save.before else { return }
        tables[position].isTouched = true
        if save.table.isAppendOnly {
            guard let row = save.after, save.before == nil else { throw .vanished(save.table) }
            tables[position].appended.append(row)
            // The row's number isn't known yet, so its position among the other rows isn't known either.
            for slot in tables[position].slots { forget(entryOf: row, in: slot) }
            return
        }
        let key = save.table.key(of: named)
        let number: Int
        if let found = tables[position].positions[key] {
            number = found
        } else {
            if let before = save.before, isAbsent(before, in: position) { throw .vanished(save.table) }
            rows.append(Row(before: save.before, now: save.before))
            number = rows.count - 1
            tables[position].positions[key] = number
        }
        let before = rows[number].now
        if save.before == nil, before != nil { throw .taken("\(save.table.name).key", of: save.table) }
        if save.before != nil, before == nil { throw .vanished(save.table) }
        if let after = save.after, let duplicate = takenKey(of: after, number, in: position) {
            throw .taken("\(save.table.name).\(duplicate)", of: save.table)
        }
        let mask = before.flatMap { before in
            save.after.map { after in save.table.difference(between: before, and: after) }
        }
        rows[number].now = save.after
        if save.refolds { rows[number].isRefolded = true }
        if !rows[number].isSaved {
            rows[number].isSaved = true
            tables[position].saved.append(number)
        }
        for slot in tables[position].slots where slots[slot].isAsked && mask.map({ $0 & slots[slot].mask != 0 }) ?? true
        {
            move(number, from: before, to: save.after, in: slot)
        }
    }

    /// The name of a unique key, other than the primary key, whose values a loaded row already has; `nil` if there's
    /// none.
    ///
    /// A later change of the group may free the key, but if the changes ran one by one, this change would fail first.
    private func takenKey(of row: StoredRow, _ number: Int, in position: Int) -> String? {
        let shape = tables[position].shape
        for unique in shape.uniques {
            for slot in tables[position].slots where slots[slot].isAsked && slots[slot].query.set.isUnique {
                let set = slots[slot].query.set
                guard set.columns == unique.columns, let values = set.values(of: row),
                    let entry = slots[slot].positions[values], slots[slot].entries[entry].isKnown
                else { continue }
                let others = slots[slot].entries[entry].rows.filter { $0 != number }
                if others.contains(where: { rows[$0].now.flatMap(set.values(of:)) == values }) { return unique.name }
            }
        }
        return nil
    }

    /// Whether a query by primary key has found that a row doesn't exist.
    ///
    /// A row that wasn't queried is assumed to be in the given state; if it isn't, the database reports it.
    private func isAbsent(_ row: StoredRow, in position: Int) -> Bool {
        tables[position].slots.contains { slot in
            guard slots[slot].isAsked, slots[slot].query.set.isUnique,
                slots[slot].query.set.columns == tables[position].shape.keyColumns,
                let values = slots[slot].query.set.values(of: row), let entry = slots[slot].positions[values]
            else { return false }
            return slots[slot].entries[entry].isKnown && slots[slot].entries[entry].rows.isEmpty
        }
    }

    private func forget(entryOf row: StoredRow, in slot: Int) {
        guard let values = slots[slot].query.set.values(of: row), let entry = slots[slot].positions[values] else {
            return
        }
        slots[slot].entries[entry].isKnown = false
    }

    private func move(_ row: Int, from before: StoredRow?, to after: StoredRow?, in slot: Int) {
        let set = slots[slot].query.set
        let (old, new) = (before.flatMap(set.values(of:)), after.flatMap(set.values(of:)))
        if let before, let after, old == new, set.isUnique || !set.parts(before, after) { return }
        if let old, let entry = slots[slot].positions[old] { slots[slot].leave(row, entry) }
        if let new, let after, let entry = slots[slot].positions[new] {
            let position = slots[slot].entries[entry].rows.firstIndex { other in
                rows[other].now.map { set.precedes(after, $0) } ?? false
            }
            slots[slot].enter(row, entry, before: position)
        }
    }
}

extension BatchSlot {
    /// Removes a row from an entry.
    ///
    /// If the entry was cut off at the limit, the row that moves up is unknown.
    fileprivate mutating func leave(_ row: Int, _ entry: Int) {
        if case .count = query.take {
            entries[entry].count -= 1
            if !entries[entry].isWhole { entries[entry].isKnown = false }
        } else if let position = entries[entry].rows.firstIndex(of: row) {
            entries[entry].rows.remove(at: position)
            if !entries[entry].isWhole { entries[entry].isKnown = false }
        }
    }

    /// Adds a row to an entry, before another row or at the end.
    fileprivate mutating func enter(_ row: Int, _ entry: Int, before position: Int?) {
        let limit = query.take.limit
        if case .count = query.take {
            if entries[entry].count < limit { entries[entry].count += 1 } else { entries[entry].isWhole = false }
        } else if query.set.isUnique {
            entries[entry].rows = [row]
        } else if position != nil || entries[entry].isWhole {
            entries[entry].rows.insert(row, at: position ?? entries[entry].rows.count)
            if entries[entry].rows.count > limit {
                entries[entry].rows.removeLast()
                entries[entry].isWhole = false
            }
        }
    }
}

extension SetShape {
    /// Whether two states of a row have different positions in the set's order.
    fileprivate func parts(_ one: StoredRow, _ other: StoredRow) -> Bool {
        precedes(one, other) || precedes(other, one)
    }
}

extension StoreError {
    /// A change replaced or deleted a row that doesn't exist.
    package static func vanished(_ table: TableShape) -> StoreError {
        StoreError(.failed, "A change saved over a row of \(table.name) that is not there: a fault of this program.")
    }
}
