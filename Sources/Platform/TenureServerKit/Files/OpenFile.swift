import Glibc
package import TenureFiles
package import TenureHTTP

/// A regular file that was opened for reading. It's closed when the last reference is released.
package final class OpenFile: Sendable {
    package let descriptor: FileDescriptor

    /// The size in bytes when the file was opened.
    package let size: Int64

    /// When the content was last modified, in POSIX seconds.
    package let changedAt: Int64

    /// Identifies the file and its current state.
    package let identity: OpenFile.Identity

    /// Uses an open file; `nil` if the file isn't regular.
    package init?(_ descriptor: FileDescriptor) {
        guard let facts = try? descriptor.status(), facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.descriptor = descriptor
        size = Int64(facts.st_size)
        changedAt = Int64(facts.st_mtim.tv_sec)
        identity = OpenFile.Identity(facts)
    }

    /// Takes ownership of a descriptor, which is closed when the last reference is released. Returns `nil`, after
    /// closing it, if the file isn't regular.
    package convenience init?(taking descriptor: Int32) { self.init(FileDescriptor(taking: descriptor)) }

    /// A range of bytes for the body of a response; by default the whole file.
    package func part(_ range: Range<Int64>? = nil) -> FilePart { FilePart(descriptor, range ?? 0..<size) }

    /// Reads a range of bytes now, by default the whole file. Returns fewer bytes if the file has become shorter.
    package func read(_ range: Range<Int64>? = nil) -> [UInt8] { part(range).read() }

    /// Identifies a local file in its current state. Writing to the file changes the identity.
    ///
    /// The identity is meant for in-memory caches only, because a copy of the file has another identity.
    package struct Identity: Sendable, Hashable {
        private let device: UInt64
        private let inode: UInt64
        private let size: Int64
        private let modified: [Int64]
        /// The time of the last change to the file's content or metadata. Unlike the modification time, programs can't
        /// set it.
        private let changed: [Int64]

        fileprivate init(_ facts: stat) {
            device = UInt64(facts.st_dev)
            inode = UInt64(facts.st_ino)
            size = Int64(facts.st_size)
            modified = [Int64(facts.st_mtim.tv_sec), Int64(facts.st_mtim.tv_nsec)]
            changed = [Int64(facts.st_ctim.tv_sec), Int64(facts.st_ctim.tv_nsec)]
        }
    }
}
