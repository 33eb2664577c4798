import Glibc

/// A regular file that was opened for reading; closed when nobody holds it any more.
public final class OpenFile: Sendable {
    /// What the system calls it, while this object is held.
    public let descriptor: Int32

    /// How many bytes it had when it was opened.
    public let size: Int64

    /// When it was last changed, in whole seconds since 1970.
    public let changedAt: Int64

    /// Which file it is, in which state.
    public let identity: FileIdentity

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
        identity = FileIdentity(facts)
    }

    deinit { _ = close(descriptor) }
}

/// A file of this machine in one state: when its bytes are replaced, it gets another identity.
///
/// For caches in memory only. A copy of the file has another identity.
public struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: [Int64]
    /// When the system last changed anything about the file. Unlike the time of modification, no program can set it.
    private let changed: [Int64]

    fileprivate init(_ facts: stat) {
        device = UInt64(facts.st_dev)
        inode = UInt64(facts.st_ino)
        size = Int64(facts.st_size)
        modified = [Int64(facts.st_mtim.tv_sec), Int64(facts.st_mtim.tv_nsec)]
        changed = [Int64(facts.st_ctim.tv_sec), Int64(facts.st_ctim.tv_nsec)]
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
