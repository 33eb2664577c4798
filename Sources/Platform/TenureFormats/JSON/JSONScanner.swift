/// Validates a JSON text in one pass and records the members or elements of its outermost value.
///
/// The stack of open arrays and objects is a 64-bit word with one bit for each. ``StrictJSON/depthLimit`` therefore
/// can't exceed 64.
struct JSONScanner {
    /// A member of an object, or an element of an array; an element has an empty name.
    struct Entry {
        /// The range of the name between its quotes, still escaped.
        let name: Range<Int>
        /// Whether the name contains escapes, so that its bytes differ from the decoded name.
        let nameIsEscaped: Bool
        var kind = JSONKind.null
        var start = 0
        var end = 0
    }

    let bytes: [UInt8]
    let end: Int
    var position: Int

    /// The entries of the outermost value; those of open inner objects are appended while they are scanned.
    private(set) var entries: [Entry] = []
    /// The index of the first entry of each open inner object, innermost last. The outermost object isn't listed,
    /// because its first index is 0.
    private var frames: [Int] = []
    private var depth = 0
    /// One bit per open container, the innermost lowest: 1 for an object, 0 for an array.
    private var openObjects: UInt64 = 0
    /// Whether the innermost container has no entries yet.
    private var justOpened = false

    init(_ bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Scans white space, one value, and white space; throws if anything follows.
    mutating func scanText() throws(JSONError) -> JSONKind {
        skipSpace()
        let kind = try scanValue()
        skipSpace()
        guard position == end else { throw malformed("expected the end of the text") }
        return kind
    }

    private var inObject: Bool { openObjects & 1 == 1 }

    private mutating func scanValue() throws(JSONError) -> JSONKind {
        let outermost = try startValue()
        while true {
            // Here a value has just ended or a container has just been opened; only brackets change the depth.
            guard depth > 0 else { return outermost }
            skipSpace()
            guard position < end else { throw malformed("the text ends within an \(inObject ? "object" : "array")") }
            if bytes[position] == closer {
                try close()
                continue
            }
            if !justOpened {
                guard bytes[position] == UInt8(ascii: ",") else {
                    throw malformed("expected a comma or the closing bracket")
                }
                position += 1
                skipSpace()
            }
            justOpened = false
            if inObject {
                try scanName()
            } else if depth == 1 {
                entries.append(Entry(name: 0..<0, nameIsEscaped: false))
            }
            let start = position
            let notes = inObject || depth == 1
            let index = entries.count - 1
            let kind = try startValue()
            if notes {
                entries[index].kind = kind
                entries[index].start = start
                entries[index].end = position
            }
        }
    }

    private var closer: UInt8 { inObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    /// Scans a scalar, or the opening bracket of an array or object.
    private mutating func startValue() throws(JSONError) -> JSONKind {
        guard position < end else { throw malformed("the text ends where a value is expected") }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            _ = try scanString()
            return .string
        case UInt8(ascii: "{"):
            try open(object: true)
            return .object
        case UInt8(ascii: "["):
            try open(object: false)
            return .array
        case UInt8(ascii: "t"):
            try scanWord("true")
            return .boolean
        case UInt8(ascii: "f"):
            try scanWord("false")
            return .boolean
        case UInt8(ascii: "n"):
            try scanWord("null")
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try scanNumber()
            return .number
        case 0x80...:
            try skipSequence()
            throw malformed(
                "expected a value; non-ASCII characters are allowed only in strings, and a byte order mark nowhere")
        default:
            throw malformed("expected a value")
        }
    }

    private mutating func open(object: Bool) throws(JSONError) {
        guard depth < StrictJSON.depthLimit else {
            throw JSONError(
                .tooDeep, at: position, "arrays and objects may be nested at most \(StrictJSON.depthLimit) levels deep")
        }
        depth += 1
        openObjects = openObjects << 1 | (object ? 1 : 0)
        if object {
            // One allocation suffices for a typical object, instead of several as it grows.
            if entries.isEmpty { entries.reserveCapacity(12) }
            if depth > 1 { frames.append(entries.count) }
        }
        justOpened = true
        position += 1
    }

    private mutating func close() throws(JSONError) {
        position += 1
        depth -= 1
        justOpened = false
        let wasObject = inObject
        openObjects >>= 1
        if wasObject {
            let frame = depth == 0 ? 0 : frames.removeLast()
            try refuseDuplicates(in: entries[frame...])
            if depth > 0 { entries.removeLast(entries.count - frame) }
        }
        // The value that has just ended belongs to the last entry, which is still open.
        if depth == 1 { entries[entries.count - 1].end = position }
    }

    private mutating func scanName() throws(JSONError) {
        guard position < end, bytes[position] == UInt8(ascii: "\"") else {
            throw malformed("expected a field name in double quotes")
        }
        let start = position + 1
        let escaped = try scanString()
        entries.append(Entry(name: start..<position - 1, nameIsEscaped: escaped))
        skipSpace()
        guard position < end, bytes[position] == UInt8(ascii: ":") else {
            throw malformed("expected a colon after the name")
        }
        position += 1
        skipSpace()
    }

    private mutating func scanWord(_ word: StaticString) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        guard end - position >= count, bytes[position..<position + count].elementsEqual(word.description.utf8) else {
            throw malformed("expected '\(word)'")
        }
        position += count
    }

    private mutating func skipSpace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    func malformed(_ message: String) -> JSONError {
        JSONError(.malformed, at: position, message)
    }
}
