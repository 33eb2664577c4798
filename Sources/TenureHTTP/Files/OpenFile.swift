import Glibc

/// A regular file that was opened for reading; closed when nobody holds it any more.
public final class OpenFile: Sendable {
    /// What the system calls it, while this object is held.
    public let descriptor: Int32

    /// How many bytes it had when it was opened.
    public let size: Int64

    /// When it was last changed, in whole seconds since 1970.
    public let changedAt: Int64

    /// Takes over a descriptor; nil, and it is closed, when it is no regular file.
    public init?(taking descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            _ = close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int64(facts.st_size)
        changedAt = Int64(facts.st_mtim.tv_sec)
    }

    deinit { _ = close(descriptor) }

    /// The strong entity tag that nginx makes of the same file: where it is changed under one name, the time of the change
    /// must go up by a second at least.
    public var tag: String {
        "\"\(String(changedAt, radix: 16))-\(String(size, radix: 16))\""
    }
}

/// Consecutive bytes of a file.
public struct FilePart: Sendable, Hashable {
    /// The file.
    public let file: OpenFile
    /// Where they begin and end.
    public let range: Range<Int64>

    /// Names a part of a file; by default all of it.
    public init(_ file: OpenFile, _ range: Range<Int64>? = nil) {
        self.file = file
        self.range = range ?? 0..<file.size
    }

    /// Compares by the opened file and the place in it.
    public static func == (one: FilePart, other: FilePart) -> Bool {
        one.file === other.file && one.range == other.range
    }

    /// Hashes the opened file and the place in it.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(file))
        hasher.combine(range)
    }

    /// The bytes, read now. It blocks and holds all of them: for tools and tests; fewer where the file has become shorter.
    public func read() -> [UInt8] {
        let wanted = Int(range.upperBound - range.lowerBound)
        return [UInt8](unsafeUninitializedCapacity: wanted) { bytes, filled in
            while filled < wanted {
                let place = off_t(range.lowerBound) + off_t(filled)
                let count = pread(descriptor, bytes.baseAddress.map { $0 + filled }, wanted - filled, place)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                filled += count
            }
        }
    }

    private var descriptor: Int32 { file.descriptor }
}
