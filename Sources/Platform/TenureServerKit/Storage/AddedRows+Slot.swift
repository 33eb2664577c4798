package import TenureCore
package import TenureStore

extension AddedRows {
    /// A value that only one row of a table may have at a time, such as a device's active activation of a license.
    ///
    /// Several later stores may have assigned the value to different rows. The newest of these rows gets the value.
    package struct Slot: Sendable {
        private let rows: RowSet<Row>
        private let values: @Sendable (Row) -> [StoredValue]?
        private let time: @Sendable (Row) -> Timestamp
        private let vacate: @Sendable (_ row: Row, _ at: Timestamp) -> Row

        /// Declares a slot.
        ///
        /// - Parameters:
        ///   - rows: The rows that have a slot, by the slot's values.
        ///   - values: Returns the values of a row's slot; `nil` if the row has no slot.
        ///   - time: Returns the time since which a row has its slot.
        ///   - vacate: Returns a row without its slot, given the time at which another row got the slot.
        package init(
            _ rows: RowSet<Row>, values: @escaping @Sendable (Row) -> [StoredValue]?,
            since time: @escaping @Sendable (Row) -> Timestamp,
            vacate: @escaping @Sendable (_ row: Row, _ at: Timestamp) -> Row
        ) {
            self.rows = rows
            self.values = values
            self.time = time
            self.vacate = vacate
        }

        func occupants(_ query: inout QueryBuilder<[Row]>) -> RowsQuery<Row> {
            query.each(rows, upTo: 10) { [values] page in page.compactMap(values).flatMap(\.self) }
        }

        /// The rows that have the slots that a page of rows needs.
        struct Occupation {
            private let slot: Slot
            private var occupants: [[StoredValue]: [Row]] = [:]
            private var added: Set<[StoredValue]> = []

            init(_ slot: Slot, occupiedBy rows: [Row]) {
                self.slot = slot
                for row in rows {
                    if let values = slot.values(row) { occupants[values, default: []].append(row) }
                }
            }

            /// The reason why a row isn't added.
            struct Obstacle: Error {
                let text: String
            }

            /// Gives a row its slot, if it needs one. Returns the writes that take the slot from older rows.
            ///
            /// Throws if a newer row, or another row of the page, has the slot.
            mutating func take(_ row: Row) throws(Obstacle) -> [RowWrite] {
                guard let values = slot.values(row) else { return [] }
                let others = (occupants[values] ?? []).filter { $0.keyValues != row.keyValues }
                guard !others.contains(where: { slot.time($0) > slot.time(row) }) else {
                    throw Obstacle(text: "the store has a later one")
                }
                guard added.insert(values).inserted else { throw Obstacle(text: "it is there twice") }
                occupants[values] = [row]
                return others.map { .replace($0, by: slot.vacate($0, slot.time(row))) }
            }
        }
    }
}
