import TenureCore

extension Value {
    /// The bytes in PostgreSQL's binary format; nil for null.
    var wire: [UInt8]? {
        var out: [UInt8] = []
        switch self {
        case .null: return nil
        case .integer(let number): out.append(bigEndian: number)
        case .text(let text): return Array(StorableText.encode(text).utf8)
        case .blob(let bytes): return bytes
        case .flag(let flag): return [flag ? 1 : 0]
        case .id(let id): out.append(id)
        case .integers(let numbers):
            out.append(arrayOf: numbers, type: 20, bytesEach: 8) { out, number in out.append(bigEndian: number) }
        case .texts(let texts):
            out.append(arrayOf: texts, type: 25, bytesEach: 16) { out, text in
                out.append(contentsOf: StorableText.encode(text).utf8)
            }
        case .blobs(let blobs):
            out.append(arrayOf: blobs, type: 17, bytesEach: 32) { out, bytes in out.append(contentsOf: bytes) }
        case .flags(let flags):
            out.append(arrayOf: flags, type: 16, bytesEach: 1) { out, flag in out.append(flag ? 1 : 0) }
        case .ids(let ids):
            out.append(arrayOf: ids, type: 2950, bytesEach: 16) { out, id in out.append(id) }
        }
        return out
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        var shift = number.bitWidth - 8
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: number >> shift))
            shift -= 8
        }
    }

    fileprivate mutating func append(_ id: ActivationID) {
        append(bigEndian: id.high)
        append(bigEndian: id.low)
    }

    /// An array of one dimension: its shape and type, then each element with its length, -1 for null.
    fileprivate mutating func append<Item>(
        arrayOf elements: [Item?], type: Int32, bytesEach: Int, _ write: (inout [UInt8], Item) -> Void
    ) {
        reserveCapacity(20 + elements.count * (4 + bytesEach))
        append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
        append(bigEndian: Int32(1))
        append(bigEndian: type)
        if elements.isEmpty { return }
        append(bigEndian: Int32(elements.count))
        append(bigEndian: Int32(1))
        for element in elements {
            let place = count
            append(bigEndian: Int32(-1))
            guard let element else { continue }
            write(&self, element)
            let length = UInt32(count - place - 4)
            for byte in 0..<4 { self[place + byte] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * byte)) }
        }
    }
}
