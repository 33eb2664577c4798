package import TenureStore

extension BatchState {
    /// What is loaded: the looks that find at most one row by table, parents first; then the others, in order of asking.
    package struct Loading {
        /// A table with its looks that find at most one row, by slot, in the order of their looks' ids.
        package internal(set) var keyed: [(table: TableShape, slots: [Int])] = []
        /// The other looks, by slot.
        package internal(set) var sets: [Int] = []
        /// The views, in order of asking: who asks, which one, and about what.
        package internal(set) var views: [(number: Int, view: ViewShape, list: [StoredValue])] = []

        /// How many questions that makes.
        package var count: Int { keyed.count + sets.count + views.count }
    }

    /// What has to be loaded for all that was asked.
    package var loading: Loading {
        var loading = Loading()
        for table in tables {
            let unique = table.slots.filter { slots[$0].look.set.isUnique && slots[$0].isAsked }
            if !unique.isEmpty {
                loading.keyed.append((table.shape, unique.sorted { slots[$0].look.id < slots[$1].look.id }))
            }
        }
        // Tables of one rank by name, so that two groups lock them in one order.
        loading.keyed.sort { ($0.table.rank, $0.table.name) < ($1.table.rank, $1.table.name) }
        loading.sets = slots.indices.filter { !slots[$0].look.set.isUnique && slots[$0].isAsked }
        for (number, asked) in asked.enumerated() {
            loading.views += asked.form.views.map { (number, $0.view, asked.lists[$0.list]) }
        }
        return loading
    }

    /// Takes in a row that a table's looks found.
    package func take(_ row: StoredRow, in table: TableShape) {
        let place = place(of: table)
        let number = keep(row, in: place, isLatest: true)
        for slot in tables[place].slots where slots[slot].isAsked && slots[slot].look.set.isUnique {
            guard let values = slots[slot].look.set.values(of: row) else { continue }
            // What follows from other rows was not known before.
            let entry = slots[slot].look.base == nil ? slots[slot].places[values] : slots[slot].entry(for: values)
            if let entry { slots[slot].entries[entry].rows = [number] }
        }
    }

    /// The entry of a look for values that followed from other rows.
    package func entry(of slot: Int, for values: StoredValues) -> Int {
        slots[slot].entry(for: slots[slot].look.set.normal(values))
    }

    /// Takes in the next row of an entry.
    package func take(_ row: StoredRow, of slot: Int, entry: Int) {
        let number = keep(row, in: slots[slot].table, isLatest: false)
        slots[slot].entries[entry].rows.append(number)
        slots[slot].entries[entry].isWhole = slots[slot].entries[entry].rows.count < slots[slot].look.take.limit
    }

    /// Takes in the count of an entry.
    package func take(count: Int, of slot: Int, entry: Int) {
        slots[slot].entries[entry].count = count
        slots[slot].entries[entry].isWhole = count < slots[slot].look.take.limit
    }

    /// Keeps a row once; one that was locked is the latest, whatever a set found before.
    private func keep(_ row: StoredRow, in place: Int, isLatest: Bool) -> Int {
        let key = tables[place].shape.key(of: row)
        if let number = tables[place].places[key] {
            if isLatest { rows[number] = Row(before: row, now: row) }
            return number
        }
        rows.append(Row(before: row, now: row))
        tables[place].places[key] = rows.count - 1
        return rows.count - 1
    }
}

extension BatchSlot {
    /// Whether there is anything to load: questions that hold a null are none.
    var isAsked: Bool { !questions.isEmpty }
}
