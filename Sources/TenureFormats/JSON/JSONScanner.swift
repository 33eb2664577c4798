/// One pass over a JSON text that checks everything and notes the outermost value's members or elements.
///
/// The stack of open arrays and objects is one bit each, which is why depth is limited to that of the word.
struct JSONScanner {
    /// A member of an object, or an element of an array (whose name is empty).
    struct Entry {
        /// The name between its quotes, still escaped.
        let name: Range<Int>
        /// Whether the name has escapes, so that its bytes are not what it reads as.
        let nameIsEscaped: Bool
        var kind = JSONKind.null
        var start = 0
        var end = 0
    }

    let bytes: [UInt8]
    let end: Int
    var place: Int

    /// The outermost value's entries; while inner objects are open, theirs follow.
    private(set) var entries: [Entry] = []
    /// Where the entries of each open object begin, innermost last; those of the outermost begin where all do.
    private var frames: [Int] = []
    private var depth = 0
    /// One bit for each open container, innermost lowest: 1 for an object.
    private var openObjects: UInt64 = 0
    /// Whether the innermost container has no entry yet.
    private var justOpened = false

    init(_ bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    /// Scans white space, one value, white space, and nothing more.
    mutating func scanText() throws(JSONError) -> JSONKind {
        skipSpace()
        let kind = try scanValue()
        skipSpace()
        guard place == end else { throw malformed("something follows the end of the text") }
        return kind
    }

    private var inObject: Bool { openObjects & 1 == 1 }

    private mutating func scanValue() throws(JSONError) -> JSONKind {
        let outermost = try startValue()
        while true {
            // A value has just ended or a container has just been opened; only brackets change the depth.
            guard depth > 0 else { return outermost }
            skipSpace()
            guard place < end else { throw malformed("the text ends inside an \(inObject ? "object" : "array")") }
            if bytes[place] == closer {
                try close()
                continue
            }
            if !justOpened {
                guard bytes[place] == UInt8(ascii: ",") else {
                    throw malformed("a comma or the closing bracket was expected")
                }
                place += 1
                skipSpace()
            }
            justOpened = false
            if inObject {
                try scanName()
            } else if depth == 1 {
                entries.append(Entry(name: 0..<0, nameIsEscaped: false))
            }
            let start = place
            let notes = inObject || depth == 1
            let index = entries.count - 1
            let kind = try startValue()
            if notes {
                entries[index].kind = kind
                entries[index].start = start
                entries[index].end = place
            }
        }
    }

    private var closer: UInt8 { inObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    /// Scans a scalar, or the opening bracket of an array or object.
    private mutating func startValue() throws(JSONError) -> JSONKind {
        guard place < end else { throw malformed("the text ends where a value was expected") }
        switch bytes[place] {
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
                "a value was expected; letters beyond ASCII stand only in strings, a byte order mark nowhere")
        default:
            throw malformed("a value was expected")
        }
    }

    private mutating func open(object: Bool) throws(JSONError) {
        guard depth < StrictJSON.depthLimit else {
            throw JSONError(.tooDeep, at: place, "arrays and objects may be nested \(StrictJSON.depthLimit) deep")
        }
        depth += 1
        openObjects = openObjects << 1 | (object ? 1 : 0)
        if object {
            // One allocation for the usual object instead of several as it grows.
            if entries.isEmpty { entries.reserveCapacity(12) }
            if depth > 1 { frames.append(entries.count) }
        }
        justOpened = true
        place += 1
    }

    private mutating func close() throws(JSONError) {
        place += 1
        depth -= 1
        justOpened = false
        let wasObject = inObject
        openObjects >>= 1
        if wasObject {
            let frame = depth == 0 ? 0 : frames.removeLast()
            try refuseDuplicates(in: entries[frame...])
            if depth > 0 { entries.removeLast(entries.count - frame) }
        }
        // The innermost entry that is still open is the one whose value has just ended.
        if depth == 1 { entries[entries.count - 1].end = place }
    }

    private mutating func scanName() throws(JSONError) {
        guard place < end, bytes[place] == UInt8(ascii: "\"") else {
            throw malformed("a member's name in double quotes was expected")
        }
        let start = place + 1
        let escaped = try scanString()
        entries.append(Entry(name: start..<place - 1, nameIsEscaped: escaped))
        skipSpace()
        guard place < end, bytes[place] == UInt8(ascii: ":") else {
            throw malformed("a colon was expected after the name")
        }
        place += 1
        skipSpace()
    }

    private mutating func scanWord(_ word: StaticString) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        guard end - place >= count, bytes[place..<place + count].elementsEqual(word.description.utf8) else {
            throw malformed("'\(word)' was expected")
        }
        place += count
    }

    private mutating func skipSpace() {
        while place < end {
            switch bytes[place] {
            case 0x20, 0x0A, 0x0D, 0x09: place += 1
            default: return
            }
        }
    }

    func malformed(_ message: String) -> JSONError {
        JSONError(.malformed, at: place, message)
    }
}
