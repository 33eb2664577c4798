/// The requests of a group of changes for one query, without duplicates, and the results found so far.
package struct BatchSlot {
    /// The result for one list of key values.
    struct Entry {
        /// Whether the in-memory result is certain to match the database's.
        var isKnown = true
        /// Whether the result contains all rows, rather than being cut off at the limit.
        var isWhole = true
        /// The indexes of the rows, in the order of the set.
        var rows: [Int] = []
        /// The number of rows, if the query counts.
        var count = 0
    }

    package let query: QueryShape
    /// The distinct requests, with the values for every query that this one builds on.
    package private(set) var questions: [StoredValues] = []
    var entries: [Entry] = []
    /// The index of the entry for each list of key values.
    private(set) var positions: [StoredValues: Int] = [:]
    /// The columns that decide which entry a row belongs to and its position there, as a bit mask.
    let mask: UInt64
    /// The index of the query's table.
    let table: Int
    private var bound: Set<StoredValues> = []

    init(_ query: QueryShape, table: Int) {
        self.query = query
        self.table = table
        let set = query.set
        mask = (set.columns + set.conditions.map(\.column) + set.order.map(\.column))
            .reduce(0) { mask, position in mask | 1 << UInt64(position) }
    }

    /// Forgets all requests and results, but keeps the allocated memory.
    mutating func clear() {
        questions.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        bound.removeAll(keepingCapacity: true)
    }

    /// Records a request and returns the index of its entry, or -1 if it contains a null and therefore finds nothing.
    mutating func ask(_ request: ArraySlice<StoredValue>) -> Int {
        guard let values = query.values(of: request, beside: { _ in .null }) else { return -1 }
        if let position = positions[values] { return position }
        var question = StoredValues()
        for value in request { question.append(value) }
        questions.append(question)
        return entry(for: values)
    }

    /// Records a request whose remaining values come from another query's rows.
    mutating func askAlong(_ request: StoredValues) {
        if !request.holdNull, bound.insert(request).inserted { questions.append(request) }
    }

    /// The index of the entry for these values; creates an empty entry, marked as known, if there isn't one.
    mutating func entry(for values: StoredValues) -> Int {
        if let position = positions[values] { return position }
        positions[values] = entries.count
        entries.append(Entry())
        return entries.count - 1
    }
}

extension QueryShape {
    /// Combines a request with the columns of a base row into the values of the set; `nil` if one of them is null.
    func values(of request: ArraySlice<StoredValue>, beside column: (Int) -> StoredValue) -> StoredValues? {
        var values = StoredValues()
        var next = request.startIndex
        for source in sources {
            switch source {
            case .request:
                values.append(request[next])
                next += 1
            case .column(let position): values.append(column(position))
            case .constant(let value): values.append(value)
            }
        }
        return values.holdNull ? nil : values
    }
}
