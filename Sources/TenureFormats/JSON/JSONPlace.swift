/// A place in a JSON text, for people who have it open in an editor: line and column, both counted from 1.
public struct JSONPlace: Sendable, Hashable, CustomStringConvertible {
    /// The line.
    public let line: Int
    /// The column, in characters of Unicode.
    public let column: Int

    /// Finds the place of a byte, counted from 0; one beyond the end is the end.
    public init(ofByte offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<min(max(0, offset), bytes.count)]
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // Bytes that go on with a character are none of their own.
        column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
    }

    /// Finds the value that a JSON pointer (RFC 6901) names, or the innermost one around it that is there; the beginning
    /// of a text that is no JSON.
    public init(of pointer: String, in bytes: [UInt8]) {
        var range = 0..<bytes.count
        for name in JSONPointer.names(in: pointer) {
            var scanner = JSONScanner(bytes, range: range)
            guard let kind = try? scanner.scanText() else { break }
            let entries = scanner.entries
            var found: JSONScanner.Entry?
            if kind == .object {
                found = FlatObject.entry(named: name, of: entries, in: bytes)
            } else if kind == .array, let index = Int(name), entries.indices.contains(index) {
                found = entries[index]
            }
            guard let found else { break }
            range = found.start..<found.end
        }
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        self.init(ofByte: range.first { !isSpace(bytes[$0]) } ?? range.lowerBound, in: bytes)
    }

    /// `LINE:COLUMN`.
    public var description: String { "\(line):\(column)" }
}

/// The writing of pointers into JSON texts (RFC 6901).
public enum JSONPointer {
    /// A member's name as a part of one.
    public static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// The names and numbers that one leads through.
    static func names(in pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }.map(String.init)
    }
}

/// The places of what pointers name in one text, for a report about many of them.
public struct JSONPlaces {
    /// How many are found: each costs a scan of the text, and a person reads the first.
    public static let most = 100

    private let bytes: [UInt8]
    /// Looked at once, and not where nothing is to be found.
    private lazy var isJSON = (try? StrictJSON.validate(bytes)) != nil
    private var count = 0

    /// Takes a text.
    public init(in bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The place of what a pointer names, and where the text is no JSON, of what is wrong with it; nil for more than
    /// ``most``.
    public mutating func next(_ pointer: String) -> JSONPlace? {
        count += 1
        guard count <= Self.most else { return nil }
        if isJSON { return JSONPlace(of: pointer, in: bytes) }
        do throws(JSONError) {
            try StrictJSON.validate(bytes)
            return nil
        } catch {
            return JSONPlace(ofByte: error.offset, in: bytes)
        }
    }
}
