/// Splits and searches texts from outside by their UTF-8 bytes, as every other program reads them.
///
/// A `Character` can hide a separator. For example, a comma after U+0600 or before U+0301 is part of another
/// `Character`, and so is a line feed after a carriage return. All separators here are ASCII, so each part is valid
/// text.
extension StringProtocol where SubSequence == Substring {
    /// The parts between the occurrences of an ASCII separator.
    package func split(
        atByte separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        self[...].utf8.split(
            separator: UInt8(ascii: separator), maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { Substring($0) }
    }

    /// The texts before and after the first occurrence of an ASCII text; `nil` if it doesn't occur.
    package func cut(at separator: String) -> (before: Substring, after: Substring)? {
        let bytes = self[...].utf8
        guard let first = separator.utf8.first else { return nil }
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: first) {
            let rest = bytes[found...]
            if rest.starts(with: separator.utf8) {
                return (Substring(bytes[..<found]), Substring(rest.dropFirst(separator.utf8.count)))
            }
            start = bytes.index(after: found)
        }
        return nil
    }

    /// The texts before and after the last occurrence of an ASCII byte; `nil` if it doesn't occur.
    package func cut(atLastByte byte: Unicode.Scalar) -> (before: Substring, after: Substring)? {
        let bytes = self[...].utf8
        return bytes.lastIndex(of: UInt8(ascii: byte)).map { index in
            (Substring(bytes[..<index]), Substring(bytes[bytes.index(after: index)...]))
        }
    }

    /// The text before the first of these ASCII bytes; the whole text if none occurs.
    package func before(anyByteOf separators: String) -> Substring {
        Substring(self[...].utf8.prefix { !separators.utf8.contains($0) })
    }

    /// The text after a prefix, which is compared by bytes; `nil` if the text doesn't begin with it.
    package func text(after prefix: String) -> Substring? {
        let bytes = self[...].utf8
        return bytes.starts(with: prefix.utf8) ? Substring(bytes.dropFirst(prefix.utf8.count)) : nil
    }

    /// Whether an ASCII byte occurs, even within a `Character`.
    package func contains(byte: Unicode.Scalar) -> Bool { self[...].utf8.contains(UInt8(ascii: byte)) }

    /// The text without spaces and tabs at its ends.
    package var withoutBlanks: Substring {
        var bytes = self[...].utf8
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return Substring(bytes)
    }

    /// The text with A to Z in lower case, as protocols compare names; all other scalars stay.
    package var asciiLowercased: String {
        String(decoding: self[...].utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The lines of a text file, which end with a line feed, a carriage return or both.
    ///
    /// A byte order mark isn't part of the first line, and no empty line follows the last line end.
    package var lines: [Substring] {
        var bytes = self[...].utf8
        if bytes.starts(with: "\u{FEFF}".utf8) { bytes.removeFirst(3) }
        var lines: [Substring] = []
        while !bytes.isEmpty {
            let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
            lines.append(Substring(line))
            bytes = bytes[line.endIndex...]
            if bytes.starts(with: "\r\n".utf8) { bytes.removeFirst(2) } else if !bytes.isEmpty { bytes.removeFirst() }
        }
        return lines
    }
}

extension String {
    /// Calls a function with the text's UTF-8 bytes in contiguous memory, which is several times faster to read than a
    /// view of the text.
    @inlinable
    package func withBytes<Result>(_ read: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // Only a text that is bridged on Apple systems isn't contiguous.
        utf8.withContiguousStorageIfAvailable(read) ?? Array(utf8).withUnsafeBufferPointer(read)
    }

    /// The first line of a text file, such as a password, without its byte order mark and its line end; `nil` if the
    /// file isn't UTF-8.
    package init?(firstLineOf file: [UInt8]) {
        // Decoding replaces invalid UTF-8, so the text of an invalid file has other bytes.
        let text = String(decoding: file, as: UTF8.self)
        guard text.utf8.elementsEqual(file) else { return nil }
        self = text.lines.first.map(String.init) ?? ""
    }
}

extension String {
    /// The longest prefix that has at most `limit` bytes and ends between two characters.
    ///
    /// If the first character alone is longer, it ends between two scalars.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let characters = prefix(of: self, limit) { $0.utf8.count }
        guard characters.isEmpty else { return String(characters) }
        return String(prefix(of: unicodeScalars, limit) { UTF8.width($0) })
    }

    private func prefix<Units: Collection>(
        of units: Units, _ limit: Int, _ width: (Units.Element) -> Int
    ) -> Units.SubSequence {
        var length = 0
        return units.prefix { unit in
            length += width(unit)
            return length <= limit
        }
    }
}
