extension BatchState {
    /// The statements to run: first the unique queries by table, parents first, then the others in order of request.
    package struct Loading {
        /// The unique queries of each table, as slot indexes sorted by query id.
        package internal(set) var keyed: [(table: TableShape, slots: [Int])] = []
        /// The slot indexes of the other queries.
        package internal(set) var sets: [Int] = []
        /// The named queries in order of request: the number of the requesting change, the query and its list.
        package internal(set) var views: [(number: Int, view: NamedQueryShape, list: [StoredValue])] = []

        /// The number of statements to run.
        package var count: Int { keyed.count + sets.count + views.count }
    }

    /// Everything that must be loaded for the recorded requests.
    package var loading: Loading {
        var loading = Loading()
        for table in tables {
            let unique = table.slots.filter { slots[$0].query.set.isUnique && slots[$0].isAsked }
            if !unique.isEmpty {
                loading.keyed.append((table.shape, unique.sorted { slots[$0].query.id < slots[$1].query.id }))
            }
        }
        // Tables of equal rank are sorted by name, so that two groups lock them in the same order.
        loading.keyed.sort { ($0.table.rank, $0.table.name) < ($1.table.rank, $1.table.name) }
        loading.sets = slots.indices.filter { !slots[$0].query.set.isUnique && slots[$0].isAsked }
        for (number, bound) in bound.enumerated() {
            loading.views += bound.plan.views.map { (number, $0.view, bound.lists[$0.list]) }
        }
        return loading
    }

    /// Records a row that a table's unique queries found.
    package func take(_ row: StoredRow, in table: TableShape) {
        let position = position(of: table)
        let number = keep(row, in: position, isLatest: true)
        for slot in tables[position].slots where slots[slot].isAsked && slots[slot].query.set.isUnique {
            guard let values = slots[slot].query.set.values(of: row) else { continue }
            // Entries for values that come from other rows don't exist yet.
            let entry = slots[slot].query.base == nil ? slots[slot].positions[values] : slots[slot].entry(for: values)
            if let entry { slots[slot].entries[entry].rows = [number] }
        }
    }

    /// The index of a query's entry for values that come from other rows.
    package func entry(of slot: Int, for values: StoredValues) -> Int {
        slots[slot].entry(for: values)
    }

    package func take(_ row: StoredRow, of slot: Int, entry: Int) {
        let number = keep(row, in: slots[slot].table, isLatest: false)
        slots[slot].entries[entry].rows.append(number)
        slots[slot].entries[entry].isWhole = slots[slot].entries[entry].rows.count < slots[slot].query.take.limit
    }

    package func take(count: Int, of slot: Int, entry: Int) {
        slots[slot].entries[entry].count = count
        slots[slot].entries[entry].isWhole = count < slots[slot].query.take.limit
    }

    /// Stores a row once; a locked row replaces the version that a set query found before.
    private func keep(_ row: StoredRow, in position: Int, isLatest: Bool) -> Int {
        let key = tables[position].shape.key(of: row)
        if let number = tables[position].positions[key] {
            if isLatest { rows[number] = Row(before: row, now: row) }
            return number
        }
        rows.append(Row(before: row, now: row))
        tables[position].positions[key] = rows.count - 1
        return rows.count - 1
    }
}

extension BatchSlot {
    /// Whether there is anything to load; requests that contain a null aren't recorded.
    var isAsked: Bool { !questions.isEmpty }
}
