import Glibc

/// A regular file that was opened for reading; closed when it is no longer referenced.
public final class OpenFile: Sendable {
    /// The file descriptor, valid only while this object exists.
    public let descriptor: Int32

    /// The size in bytes when the file was opened.
    public let size: Int64

    /// When the content was last modified, in POSIX seconds.
    public let changedAt: Int64

    /// Identifies the file and its current state.
    public let identity: OpenFile.Identity

    /// Takes ownership of a descriptor; `nil`, after closing it, if it isn't a regular file.
    public init?(taking descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            _ = close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int64(facts.st_size)
        changedAt = Int64(facts.st_mtim.tv_sec)
        identity = OpenFile.Identity(facts)
    }

    deinit { _ = close(descriptor) }
}

extension OpenFile {
    /// Identifies a local file in its current state: replacing its bytes changes the identity.
    ///
    /// It's meant for in-memory caches only, since a copy of the file has another identity.
    public struct Identity: Sendable, Hashable {
        private let device: UInt64
        private let inode: UInt64
        private let size: Int64
        private let modified: [Int64]
        /// When anything about the file last changed; unlike the modification time, programs can't set it.
        private let changed: [Int64]

        fileprivate init(_ facts: stat) {
            device = UInt64(facts.st_dev)
            inode = UInt64(facts.st_ino)
            size = Int64(facts.st_size)
            modified = [Int64(facts.st_mtim.tv_sec), Int64(facts.st_mtim.tv_nsec)]
            changed = [Int64(facts.st_ctim.tv_sec), Int64(facts.st_ctim.tv_nsec)]
        }
    }

    /// A range of bytes in an open file, to be sent as a body.
    public struct Part: Sendable, Hashable {
        /// The file, which stays open as long as this value exists.
        public let file: OpenFile
        /// The offsets of the bytes, counted from 0.
        public let range: Range<Int64>

        /// Creates a part of a file; by default all of it.
        public init(_ file: OpenFile, _ range: Range<Int64>? = nil) {
            self.file = file
            self.range = range ?? 0..<file.size
        }

        /// Compares the opened file and the range.
        public static func == (one: OpenFile.Part, other: OpenFile.Part) -> Bool {
            one.file === other.file && one.range == other.range
        }

        /// Hashes the opened file and the range.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(file))
            hasher.combine(range)
        }

        /// Reads the bytes now; fewer if the file has become shorter.
        ///
        /// It blocks and holds all of them in memory, so use it only in tools and tests.
        public func read() -> [UInt8] {
            let length = Int(range.upperBound - range.lowerBound)
            return [UInt8](unsafeUninitializedCapacity: length) { bytes, filled in
                while filled < length {
                    let offset = off_t(range.lowerBound) + off_t(filled)
                    let count = pread(descriptor, bytes.baseAddress.map { $0 + filled }, length - filled, offset)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return }
                    filled += count
                }
            }
        }

        private var descriptor: Int32 { file.descriptor }
    }
}
