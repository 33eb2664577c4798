import TenureStore

/// Loads the rows of a group's requests into its ``BatchState``, in a few statements over arrays.
struct GroupLoad {
    /// How to read a statement's result.
    private enum Step {
        case keyed(TableShape)
        case set(Int)
        case view(number: Int, NamedQueryShape)
    }

    private let connection: Connection
    private let isLocking: Bool
    private var steps: [Step] = []

    /// Adds the statements to the next round trip.
    /// - Parameter isLocking: Whether rows found by key are locked until the commit. Rows of append-only tables, and of
    ///   tables that change only in transactions that run alone, are never locked.
    init(_ loading: BatchState.Loading, on connection: Connection, isLocking: Bool) {
        self.connection = connection
        self.isLocking = isLocking
        let batch = connection.batch
        // Tables that aren't locked come last, because the rows from which their keys come have been locked by then.
        for (table, slots) in loading.keyed where locks(table) { add(table, slots) }
        for (table, slots) in loading.keyed where !locks(table) { add(table, slots) }
        for slot in loading.sets {
            let made = connection.texts.set(batch.slots[slot].query)
            connection.outgoing.add(made.sql)
            connection.outgoing.bind(batch.slots[slot].questions, made.types[...])
            steps.append(.set(slot))
        }
        for (number, view, list) in loading.views {
            connection.outgoing.add(view, list, in: connection.texts)
            steps.append(.view(number: number, view))
        }
    }

    /// Records the results of the statements that the initializer added.
    func take(_ answers: ArraySlice<Answer>) throws(StoreError) {
        let batch = connection.batch
        for (step, answer) in zip(steps, answers) {
            switch step {
            case .keyed(let table):
                try answer.forEach { cursor in batch.take(try table.row(from: &cursor), in: table) }
            case .set(let slot):
                let query = batch.slots[slot].query
                try answer.forEach { cursor in try batch.take(&cursor, of: slot, query, on: connection) }
            case .view(let number, let view):
                batch.take(try answer.all { cursor in try view.row(from: &cursor) }, forView: number)
            }
        }
    }

    /// Loads the rows whose keys come from other rows that changed between two statements; most groups have none.
    func settle() throws(StoreError) {
        while true {
            let missing = connection.batch.settle()
            // Within a single snapshot, a row that wasn't found doesn't exist.
            guard isLocking, !missing.isEmpty else { return }
            for (slot, values) in missing {
                let set = connection.batch.slots[slot].query.set
                let made = connection.texts.found(set, isLocking: locks(set.table))
                connection.outgoing.add(made.sql)
                connection.outgoing.bind(values, made.types[...])
            }
            let answers = try connection.roundTrip()
            for ((slot, _), answer) in zip(missing, answers) {
                let table = connection.batch.slots[slot].query.set.table
                try answer.forEach { cursor in connection.batch.take(try table.row(from: &cursor), in: table) }
            }
        }
    }

    private func locks(_ table: TableShape) -> Bool { isLocking && !table.changesAlone && !table.isAppendOnly }

    private mutating func add(_ table: TableShape, _ slots: [Int]) {
        let batch = connection.batch
        let made = connection.texts.keyed(table, slots.map { batch.slots[$0].query }, isLocking: locks(table))
        connection.outgoing.add(made.sql)
        var types = made.types[...]
        for slot in slots {
            let width = batch.slots[slot].questions[0].count
            connection.outgoing.bind(batch.slots[slot].questions, types.prefix(width))
            types = types.dropFirst(width)
        }
        steps.append(.keyed(table))
    }
}

extension Outgoing {
    /// Binds an array for each value of the requests.
    mutating func bind(_ questions: [StoredValues], _ types: ArraySlice<StoredType>) {
        for (position, type) in types.enumerated() {
            bind(type, count: questions.count) { questions[$0][position] }
        }
    }

    /// Adds the statement that runs a handwritten query over a list of parameters.
    mutating func add(_ view: NamedQueryShape, _ list: [StoredValue], in texts: Texts) {
        add(texts.view(view).sql)
        bind(list, view.parameters)
    }

    /// Binds an array for each column of a flattened list.
    mutating func bind(_ list: [StoredValue], _ types: [StoredType]) {
        for (position, type) in types.enumerated() {
            bind(type, count: list.count / types.count) { list[$0 * types.count + position] }
        }
    }
}

extension BatchState {
    /// Records one result row of a query that may find many: first its request or values, then the row or count.
    fileprivate func take(
        _ cursor: inout RowCursor, of slot: Int, _ query: QueryShape, on connection: Connection
    ) throws(StoreError) {
        let entry: Int
        if query.base == nil {
            entry = try connection.position(from: &cursor, below: slots[slot].questions.count)
        } else {
            var values = StoredValues()
            for column in query.set.columns { values.append(try cursor.value(query.set.table.columns[column].type)) }
            // In SQL, no value equals null.
            if values.holdNull { return }
            entry = self.entry(of: slot, for: values)
        }
        if case .count = query.take { return take(count: try cursor.next(), of: slot, entry: entry) }
        if query.base != nil, cursor.isNull(of: query.set.table) { return }
        take(try query.set.table.row(from: &cursor), of: slot, entry: entry)
    }
}
