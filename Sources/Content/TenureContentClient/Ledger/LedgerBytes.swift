import TenureCore

/// An error raised when bytes can't be decoded as ledger entries.
///
/// They were changed or truncated, or a later version wrote them.
package struct LedgerFault: Error, Sendable, Hashable {
    package init() {}
}

/// Encodes ledger entries: integers as variable-length bytes, strings and blobs with a length prefix.
struct LedgerWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    /// Writes a signed integer in zigzag and LEB128 encoding; small values take one byte.
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

    mutating func optional(_ time: Timestamp?) { optional(time?.seconds) }
}

/// Decodes what ``LedgerWriter`` wrote.
///
/// The input may be arbitrary bytes. Every method throws ``LedgerFault`` if it can't decode them.
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

    /// Reads an integer and throws if it is outside the range.
    mutating func number(in range: ClosedRange<Int64>) throws(LedgerFault) -> Int64 {
        let number = try number()
        guard range.contains(number) else { throw LedgerFault() }
        return number
    }

    mutating func time() throws(LedgerFault) -> Timestamp { Timestamp(seconds: try number()) }

    mutating func flag() throws(LedgerFault) -> Bool {
        let byte = try byte()
        guard byte < 2 else { throw LedgerFault() }
        return byte == 1
    }

    /// Reads length-prefixed bytes without copying them.
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

    /// Reads a case, stored as its index in `allCases`.
    mutating func choice<Choice: CaseIterable>(_ type: Choice.Type) throws(LedgerFault) -> Choice
    where Choice.AllCases == [Choice] {
        let all = Choice.allCases
        let length = Int(try byte())
        guard length < all.count else { throw LedgerFault() }
        return all[length]
    }
}
