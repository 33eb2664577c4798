import TenureCore

extension TableShape {
    /// Returns a text that names a row by its key, for people.
    package func name(of row: StoredRow) -> String {
        name(of: keyColumns.map { columns[$0].value(row) })
    }

    /// Returns a text that names the row at a cursor by its key, even if the row can't be decoded.
    func name(ofRowAt start: RowCursor) -> String {
        name(
            of: keyColumns.map { position in
                var cursor = start
                cursor.column += Int32(position)
                if cursor.isNull { return .null }
                let value: StoredValue? =
                    switch columns[position].type {
                    case .integer: .integer(cursor.integer())
                    case .flag: .flag(cursor.integer() != 0)
                    case .text: (try? cursor.text()).map(StoredValue.text)
                    case .blob: .blob(cursor.bytes())
                    case .name: (try? ActivationID(from: &cursor))?.storedValue
                    }
                return value ?? .text("(unreadable)")
            })
    }

    private func name(of key: [StoredValue]) -> String {
        zip(keyColumns, key).map { "\(columns[$0].name) \($1.shown)" }.joined(separator: ", ")
    }
}

extension StoredValue {
    fileprivate var shown: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "of \(bytes.count) bytes"
        case .flag(let flag): "\(flag)"
        case .name(let high, let low): "\(ActivationID(high: high, low: low))"
        case .null: "none"
        }
    }
}
