import TenureStore

/// The statements of one round trip, with all bound values in one reusable buffer.
struct Outgoing {
    /// The purpose of a statement, which determines the meaning of a constraint violation.
    enum Purpose {
        case other
        case saving(TableShape)
        case removing(TableShape)
    }

    struct Statement {
        let sql: SQL
        let purpose: Purpose
        /// The index of the statement's first value in ``positions``, and the number of its values.
        let first: Int
        var count = 0
    }

    private(set) var statements: [Statement] = []
    /// The bound values in PostgreSQL's binary format; never empty, so that an empty value has an address.
    private(set) var bytes: [UInt8] = [0]
    /// The position of each bound value in the buffer; a length of -1 means null.
    private(set) var positions: [(offset: Int, length: Int)] = []

    /// Adds a statement; later bindings belong to it.
    mutating func add(_ sql: SQL, _ values: [StoredValue] = [], for purpose: Purpose = .other) {
        statements.append(Statement(sql: sql, purpose: purpose, first: positions.count))
        for value in values { bind(value) }
    }

    mutating func clear() {
        statements.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        // Frees the memory after one large copy.
        if bytes.count > 1 << 20 { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        bytes.append(0)
    }

    /// Binds the next parameter.
    mutating func bind(_ value: StoredValue) {
        let offset = bytes.count
        append(value)
        bound(from: offset, isNull: value.isNull)
    }

    /// Binds an array: one column of many rows.
    mutating func bind(_ type: StoredType, count: Int, _ value: (Int) -> StoredValue) {
        let offset = bytes.count
        append(bigEndian: Int32(count == 0 ? 0 : 1))
        append(bigEndian: Int32(1))
        append(bigEndian: type.oid)
        if count > 0 {
            append(bigEndian: Int32(count))
            append(bigEndian: Int32(1))
        }
        for number in 0..<count { append(element: value(number)) }
        bound(from: offset, isNull: false)
    }

    private mutating func bound(from offset: Int, isNull: Bool) {
        positions.append((offset, isNull ? -1 : bytes.count - offset))
        statements[statements.count - 1].count += 1
    }

    /// Appends an array element, preceded by its length, which is -1 for null.
    private mutating func append(element: StoredValue) {
        switch element {
        case .null: append(bigEndian: Int32(-1))
        case .integer(let number):
            append(bigEndian: Int32(8))
            append(bigEndian: number)
        case .flag, .name, .text, .blob:
            let position = bytes.count
            append(bigEndian: Int32(0))
            append(element)
            let length = UInt32(bytes.count - position - 4)
            for byte in 0..<4 { bytes[position + byte] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * byte)) }
        }
    }

    private mutating func append(_ value: StoredValue) {
        switch value {
        case .null: break
        case .integer(let number): append(bigEndian: number)
        case .flag(let flag): bytes.append(flag ? 1 : 0)
        case .blob(let blob): bytes.append(contentsOf: blob)
        case .text(let text): StorableText.append(text, to: &bytes)
        case .name(let high, let low):
            append(bigEndian: high)
            append(bigEndian: low)
        }
    }

    private mutating func append(bigEndian number: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

extension StoredType {
    /// The type's OID, for the header of an array.
    fileprivate var oid: Int32 {
        switch self {
        case .integer: 20
        case .text: 25
        case .blob: 17
        case .flag: 16
        case .name: 2950
        }
    }
}
