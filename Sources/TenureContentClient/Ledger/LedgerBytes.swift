import TenureCore

/// Why bytes are no ledger's: they were changed, cut, or written by a later program.
package struct LedgerFault: Error, Sendable, Hashable {
    /// Nothing more is to be known of it.
    package init() {}
}

/// Writes what a ledger keeps: numbers in as few bytes as they need, texts and bytes with their length.
struct LedgerWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    /// A number of either sign; small ones take one byte.
    mutating func number(_ number: Int64) {
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func flag(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func blob(_ blob: [UInt8]) {
        number(Int64(blob.count))
        bytes += blob
    }

    mutating func text(_ text: String) {
        number(Int64(text.utf8.count))
        bytes += text.utf8
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout LedgerWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func optional(_ number: Int64?) { optional(number) { $0.number($1) } }

    mutating func optional(_ moment: Timestamp?) { optional(moment?.seconds) }
}

/// Reads what ``LedgerWriter`` wrote, whatever the bytes are. Everything throws ``LedgerFault``.
struct LedgerReader {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    var isAtEnd: Bool { position == end }

    mutating func byte() throws(LedgerFault) -> UInt8 {
        guard position < end else { throw LedgerFault() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(LedgerFault) -> Int64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let next = try byte()
            guard shift < 63 || next <= 1 else { throw LedgerFault() }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
        }
        throw LedgerFault()
    }

    /// A number that counts something, or is one of few.
    mutating func number(in range: ClosedRange<Int64>) throws(LedgerFault) -> Int64 {
        let number = try number()
        guard range.contains(number) else { throw LedgerFault() }
        return number
    }

    mutating func moment() throws(LedgerFault) -> Timestamp { Timestamp(seconds: try number()) }

    mutating func flag() throws(LedgerFault) -> Bool {
        let byte = try byte()
        guard byte < 2 else { throw LedgerFault() }
        return byte == 1
    }

    /// Bytes with their length before them, in place.
    mutating func slice() throws(LedgerFault) -> ArraySlice<UInt8> {
        let count = Int(try number(in: 0...Int64(end - position)))
        guard count <= end - position else { throw LedgerFault() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func text() throws(LedgerFault) -> String { String(decoding: try slice(), as: UTF8.self) }

    mutating func optional<Value>(
        _ read: (inout LedgerReader) throws(LedgerFault) -> Value
    ) throws(LedgerFault) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func optionalNumber(in range: ClosedRange<Int64> = .min ... .max) throws(LedgerFault) -> Int64? {
        try flag() ? try number(in: range) : nil
    }

    mutating func optionalMoment() throws(LedgerFault) -> Timestamp? {
        try optionalNumber().map(Timestamp.init(seconds:))
    }

    /// What stands for a text that names one of a few things.
    mutating func choice<Choice: CaseIterable>(_ type: Choice.Type) throws(LedgerFault) -> Choice
    where Choice.AllCases == [Choice] {
        let all = Choice.allCases
        let place = Int(try byte())
        guard place < all.count else { throw LedgerFault() }
        return all[place]
    }
}
