extension JSONPlaces {
    /// A position in a JSON text as editors show it: line and column, both counted from 1.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The line, counted from 1.
        public let line: Int
        /// The column, counted from 1, in Unicode scalars.
        public let column: Int

        /// Finds the position of a byte offset, counted from 0; an offset beyond the end gives the end.
        public init(ofByte offset: Int, in bytes: [UInt8]) {
            let before = bytes[..<min(max(0, offset), bytes.count)]
            line = 1 + before.count { $0 == UInt8(ascii: "\n") }
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            // UTF-8 continuation bytes don't begin a character.
            column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
        }

        /// Finds the position of the value that a JSON pointer (RFC 6901) names.
        ///
        /// If the value doesn't exist, the position is that of the innermost existing value around it. If the text
        /// isn't JSON, it is the position of the text's beginning.
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
}

/// Helpers for JSON pointers (RFC 6901).
public enum JSONPointer {
    /// Escapes a member's name for use in a pointer.
    public static func escaped(_ name: String) -> String {
        // Searched by bytes, because a slash and a combining mark after it form one character, which isn't equal to a
        // slash.
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "~"): bytes += "~0".utf8
            case UInt8(ascii: "/"): bytes += "~1".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The member names and array indices of a pointer, unescaped.
    static func names(in pointer: String) -> [String] {
        pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map(unescaped)
    }

    private static func unescaped(_ text: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "0") where isEscaped: bytes[bytes.count - 1] = UInt8(ascii: "~")
            case UInt8(ascii: "1") where isEscaped: bytes[bytes.count - 1] = UInt8(ascii: "/")
            default: bytes.append(byte)
            }
            isEscaped = byte == UInt8(ascii: "~")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Finds the positions of several JSON pointers in one text, for reports.
public struct JSONPlaces {
    /// The maximum number of positions to compute: each costs a scan of the text, and a report's reader needs only a
    /// few.
    public static let most = 100

    private let bytes: [UInt8]
    /// Computed on the first call of ``next(_:)``, because a text without reported errors needs no scan.
    private lazy var isJSON = (try? StrictJSON.validate(bytes)) != nil
    private var count = 0

    /// Prepares to find positions in a text, without scanning it yet.
    public init(in bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The position of the value that a pointer names; `nil` if this was called more than ``most`` times.
    ///
    /// If the text isn't valid JSON, gives the position of its error instead.
    public mutating func next(_ pointer: String) -> JSONPlaces.Place? {
        count += 1
        guard count <= Self.most else { return nil }
        if isJSON { return JSONPlaces.Place(of: pointer, in: bytes) }
        do throws(JSONError) {
            try StrictJSON.validate(bytes)
            return nil
        } catch {
            return JSONPlaces.Place(ofByte: error.offset, in: bytes)
        }
    }
}
