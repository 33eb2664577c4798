public import TenureFormats

/// The central directory of a zip file (PKWARE's APPNOTE 6.3, §4.3): names, sizes and positions, with nothing unpacked.
///
/// Zip64 is supported. Multi-disk archives are rejected. Entries that are encrypted or use an unsupported compression
/// method are listed, but their packing is `nil`.
public struct ZipDirectory: Sendable, Hashable {
    /// A file or directory that the zip lists.
    public struct Entry: Sendable, Hashable {
        /// The type of an entry.
        public enum Kind: Sendable, Hashable {
            /// A regular file.
            case file
            /// A directory; its name omits the trailing slash.
            case folder
            /// A symbolic link, a pipe or a device.
            case other
        }

        /// How an entry's bytes are compressed.
        public enum Packing: Sendable, Hashable {
            case stored, deflated
        }

        /// The name as written in the zip, without a directory's trailing slash.
        public let name: String
        /// The type of the entry, from its name and its external attributes.
        public let kind: Kind
        /// The compression; `nil` for an unsupported method or an encrypted entry.
        public let packing: Packing?
        /// The compressed size in bytes.
        public let packedSize: Int64
        /// The uncompressed size in bytes.
        public let size: Int64
        /// The CRC-32 of the uncompressed bytes.
        public let crc32: UInt32
        /// The offset of the entry's local header in the zip.
        public let headPlace: Int64
    }

    /// The position of the central directory in the zip.
    public struct Place: Sendable, Hashable {
        /// The offset of the directory's first byte in the zip.
        public let start: Int64
        /// The directory's length in bytes.
        public let length: Int64
        /// The number of the directory's entries.
        public let count: Int64
    }

    /// The entries in the zip's order; a name may occur twice.
    public let entries: [Entry]

    /// How many bytes at the end of a zip ``location(tail:)`` needs to find the end record.
    ///
    /// These bytes cover the record with the longest comment and the Zip64 locator in front of it.
    public static let tailLength = 22 + 65_535 + 20
    /// The length of the Zip64 end record, in bytes.
    public static let wideLength = 56
    /// The length of a local header without name and extra field, in bytes.
    public static let headLength = 30
    /// The most entries that are accepted.
    public static let entryLimit = 20_000
    /// The longest central directory that is accepted, in bytes: 16 MiB.
    public static let lengthLimit: Int64 = 16 << 20

    /// Finds the central directory from the last bytes of a zip.
    ///
    /// For a Zip64, the result is the offset of its end record instead; pass that record to ``location(wide:)``. Throws
    /// ``FormatError`` if the bytes aren't the end of a supported zip.
    public static func location(tail: [UInt8]) throws(FormatError) -> (place: Place?, wide: Int64?) {
        var end = tail.count - 22
        while end >= 0 {
            if tail.number(at: end, 4) == 0x0605_4B50, tail.number(at: end + 20, 2) == UInt64(tail.count - end - 22) {
                break
            }
            end -= 1
        }
        guard end >= 0 else { throw FormatError(.malformed, "it isn't a zip file, or its end is missing") }
        if tail.number(at: end - 20, 4) == 0x0706_4B50, let wide = tail.number(at: end - 12, 8) {
            guard let offset = Int64(exactly: wide) else { throw beyond }
            return (nil, offset)
        }
        guard tail.number(at: end + 4, 4) == 0 else {
            throw FormatError(.malformed, "it is a multi-part zip file, which isn't supported")
        }
        return (
            try checked(
                count: tail.number(at: end + 10, 2), length: tail.number(at: end + 12, 4),
                start: tail.number(at: end + 16, 4)), nil
        )
    }

    /// Reads the position of the central directory from a Zip64 end record.
    public static func location(wide bytes: [UInt8]) throws(FormatError) -> Place {
        guard bytes.count >= wideLength, bytes.number(at: 0, 4) == 0x0606_4B50, bytes.number(at: 16, 8) == 0 else {
            throw FormatError(.malformed, "its Zip64 record is damaged")
        }
        return try checked(
            count: bytes.number(at: 32, 8), length: bytes.number(at: 40, 8), start: bytes.number(at: 48, 8))
    }

    private static func checked(count: UInt64?, length: UInt64?, start: UInt64?) throws(FormatError) -> Place {
        guard let count, let length, let start, let first = Int64(exactly: start), count <= UInt64(entryLimit),
            length <= UInt64(lengthLimit)
        else {
            throw FormatError(
                .malformed, "its directory exceeds the limit of \(entryLimit) entries and \(lengthLimit >> 20) MiB")
        }
        return Place(start: first, length: Int64(length), count: Int64(count))
    }

    private static let beyond = FormatError(.malformed, "its directory points beyond the end of the file")

    /// Parses the bytes of the central directory.
    /// - Parameter size: The length of the zip, in bytes.
    public init(_ list: [UInt8], count: Int64, ofZipWith size: Int64) throws(FormatError) {
        var entries: [Entry] = []
        var at = 0
        for _ in 0..<max(0, count) {
            guard list.number(at: at, 4) == 0x0201_4B50, let nameLength = list.number(at: at + 28, 2),
                let extraLength = list.number(at: at + 30, 2), let commentLength = list.number(at: at + 32, 2),
                at + 46 + Int(nameLength + extraLength + commentLength) <= list.count
            else { throw FormatError(.malformed, "its directory is damaged") }
            let name = at + 46
            let extra = name + Int(nameLength)
            entries.append(
                try Self.entry(
                    Array(list[at..<name]), name: Array(list[name..<extra]),
                    extra: Array(list[extra..<(extra + Int(extraLength))]), size))
            at = extra + Int(extraLength + commentLength)
        }
        guard at == list.count else { throw FormatError(.malformed, "its directory is damaged") }
        self.entries = entries
    }

    private static func entry(
        _ head: [UInt8], name: [UInt8], extra: [UInt8], _ zipSize: Int64
    ) throws(FormatError) -> Entry {
        var sizes = [head.number(at: 24, 4) ?? 0, head.number(at: 20, 4) ?? 0, head.number(at: 42, 4) ?? 0]
        var wide = wideNumbers(extra)[...]
        for index in sizes.indices where sizes[index] == 0xFFFF_FFFF {
            guard let number = wide.popFirst() else { throw beyond }
            sizes[index] = number
        }
        guard let size = Int64(exactly: sizes[0]), let packed = Int64(exactly: sizes[1]),
            let offset = Int64(exactly: sizes[2]), packed <= zipSize, offset <= zipSize - Int64(headLength)
        else { throw beyond }
        // String(decoding:) repairs invalid UTF-8, so compare the result with the original bytes.
        var text = String(decoding: name, as: UTF8.self)
        guard !text.isEmpty, text.utf8.elementsEqual(name) else {
            throw FormatError(.malformed, "the name of a file in it isn't UTF-8")
        }
        // Unix systems store the file type in the upper half of the external attributes.
        let isUnix = head.number(at: 5, 1) == 3
        let mode = isUnix ? (head.number(at: 38, 4) ?? 0) >> 16 & 0xF000 : 0
        var kind = mode == 0 || mode == 0x8000 ? Entry.Kind.file : .other
        if text.hasSuffix("/") {
            kind = mode == 0 || mode == 0x4000 ? .folder : .other
            text.removeLast()
        }
        let isPlain = (head.number(at: 8, 2) ?? 1) & 0x2041 == 0
        let packing: Entry.Packing? =
            switch head.number(at: 10, 2) {
            case 0 where isPlain && size == packed: .stored
            case 8 where isPlain: .deflated
            default: nil
            }
        return Entry(
            name: text, kind: kind, packing: packing, packedSize: packed, size: size,
            crc32: UInt32(head.number(at: 16, 4) ?? 0), headPlace: offset)
    }

    /// Returns the 64-bit numbers of the Zip64 extra field, in the order of the field; empty if there is no such field.
    private static func wideNumbers(_ extra: [UInt8]) -> [UInt64] {
        var at = 0
        while let id = extra.number(at: at, 2), let length = extra.number(at: at + 2, 2) {
            if id == 1 {
                return (0..<3).compactMap { 8 * ($0 + 1) <= Int(length) ? extra.number(at: at + 4 + 8 * $0, 8) : nil }
            }
            at += 4 + Int(length)
        }
        return []
    }

    /// Returns the offset of an entry's data, from its local header; `nil` if the header belongs to another entry.
    /// - Parameter head: The local header, including the name.
    public static func dataPlace(of entry: Entry, head: [UInt8]) -> Int64? {
        guard head.number(at: 0, 4) == 0x0403_4B50, let nameLength = head.number(at: 26, 2),
            let extraLength = head.number(at: 28, 2), head.count >= headLength + Int(nameLength),
            head[headLength..<(headLength + Int(nameLength))].elementsEqual(entry.name.utf8)
        else { return nil }
        return entry.headPlace + Int64(headLength) + Int64(nameLength + extraLength)
    }
}

extension [UInt8] {
    /// Reads a little-endian number of this many bytes; `nil` if it would be out of bounds.
    fileprivate func number(at offset: Int, _ length: Int) -> UInt64? {
        guard offset >= 0, offset <= count - length else { return nil }
        return (0..<length).reduce(UInt64(0)) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
    }
}
