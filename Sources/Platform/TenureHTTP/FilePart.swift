package import TenureFiles

/// A range of bytes in an open file, to be sent as a body.
public struct FilePart: Sendable, Hashable {
    /// The file, which stays open as long as this value exists.
    package let file: FileDescriptor
    /// The offsets of the bytes, counted from 0.
    package let range: Range<Int64>

    package init(_ file: FileDescriptor, _ range: Range<Int64>) {
        self.file = file
        self.range = range
    }

    /// Compares the opened file and the range.
    public static func == (one: FilePart, other: FilePart) -> Bool {
        one.file === other.file && one.range == other.range
    }

    /// Hashes the opened file and the range.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(file))
        hasher.combine(range)
    }

    /// Reads the bytes now; fewer if the file has become shorter, and none if it can't be read.
    ///
    /// It blocks and holds all of them in memory, so use it only in tools and tests.
    package func read() -> [UInt8] { (try? file.read(at: Int(range.lowerBound), count: range.count)) ?? [] }
}
