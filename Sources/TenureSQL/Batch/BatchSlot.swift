package import TenureStore

/// What a group asks of one look: every question once, and what is known of its answer.
package struct BatchSlot {
    /// What is known of the rows that some values find.
    struct Entry {
        /// Whether the memory can tell what the database would.
        var isKnown = true
        /// Whether there are no more rows than are known here.
        var isWhole = true
        /// The rows, by place, in their order.
        var rows: [Int] = []
        /// How many there are, if that was asked.
        var count = 0
    }

    /// The look.
    package let look: LookShape
    /// The questions: what requests bring, along all looks that this one builds on.
    package private(set) var questions: [StoredValues] = []
    var entries: [Entry] = []
    /// Where the entry of some values stands.
    private(set) var places: [StoredValues: Int] = [:]
    /// The columns that say to which entry a row belongs, and where it stands there.
    let mask: UInt64
    /// The place of its table.
    let table: Int
    private var asked: Set<StoredValues> = []

    init(_ look: LookShape, table: Int) {
        self.look = look
        self.table = table
        let set = look.set
        mask = (set.columns + set.conditions.map(\.column) + set.order.map(\.column))
            .reduce(0) { mask, place in mask | 1 << UInt64(place) }
    }

    /// Forgets what was asked and found, and keeps the room for it.
    mutating func clear() {
        questions.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        asked.removeAll(keepingCapacity: true)
    }

    /// Takes a question down; answers its entry, or -1 for one that finds nothing because it holds a null.
    mutating func ask(_ request: ArraySlice<StoredValue>) -> Int {
        guard let values = look.values(of: request, beside: { _ in .null }) else { return -1 }
        if let place = places[values] { return place }
        var question = StoredValues()
        for value in request { question.append(value) }
        questions.append(question)
        return entry(for: values)
    }

    /// Takes down a question whose values follow from other rows.
    mutating func askAlong(_ request: StoredValues) {
        if !request.holdNull, asked.insert(request).inserted { questions.append(request) }
    }

    /// The entry for some values, made if there is none; until something is taken in, it is known to be empty.
    mutating func entry(for values: StoredValues) -> Int {
        if let place = places[values] { return place }
        places[values] = entries.count
        entries.append(Entry())
        return entries.count - 1
    }
}

extension LookShape {
    /// The values that a request and the columns of another look's row make, as the set compares them; nil if one is null.
    func values(of request: ArraySlice<StoredValue>, beside column: (Int) -> StoredValue) -> StoredValues? {
        var values = StoredValues()
        var next = request.startIndex
        for source in sources {
            switch source {
            case .request:
                values.append(request[next])
                next += 1
            case .column(let place): values.append(column(place))
            case .constant(let value): values.append(value)
            }
        }
        return values.holdNull ? nil : set.normal(values)
    }
}
