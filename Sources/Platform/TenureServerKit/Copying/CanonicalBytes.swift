import TenureStore

/// Encodes rows as bytes independently of the database engine, so that equal rows have equal bytes.
///
/// Each value begins with a byte for its type. An integer takes eight bytes, most significant byte first. A text or
/// blob begins with its length in bytes, encoded in the same eight bytes.
struct CanonicalBytes {
    private(set) var bytes: [UInt8] = []

    /// Appends a row, column by column.
    mutating func append(_ row: StoredRow, of table: TableShape) {
        for column in table.columns { append(table.value(of: column, in: row)) }
    }

    /// Appends the names and values of a row's columns that aren't null.
    ///
    /// If a later version adds a column, earlier rows have null there, so their bytes stay the same.
    mutating func appendSetColumns(_ row: StoredRow, of table: TableShape) {
        for column in table.columns {
            let value = table.value(of: column, in: row)
            if value.isNull { continue }
            append(.text(column.name))
            append(value)
        }
    }

    private mutating func append(_ value: StoredValue) {
        switch value {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            append(UInt64(bitPattern: number))
        case .text(let text):
            bytes.append(2)
            append(UInt64(text.utf8.count))
            bytes += text.utf8
        case .blob(let other):
            bytes.append(3)
            append(UInt64(other.count))
            bytes += other
        case .flag(let flag): bytes += [4, flag ? 1 : 0]
        case .name(let high, let low):
            bytes.append(5)
            append(high)
            append(low)
        }
    }

    private mutating func append(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
