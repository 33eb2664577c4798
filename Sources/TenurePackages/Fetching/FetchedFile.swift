import Glibc
import Synchronization
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit

/// The file of an asset while it is fetched: what is appended to it is compared with its digests first.
///
/// One thread writes it at a time; the count is read by others.
final class FetchedFile: Sendable {
    /// How the writing stands.
    struct Standing: Sendable {
        /// Bytes that are in the file and right, as far as whole chunks tell.
        var count: Int64
        /// The chunk that was wrong, counted from 1; nil while none was.
        var damagedChunk: Int?
        /// Whether more came than the manifest says.
        var isTooLong = false
        /// Whether the disk refused.
        var failure: ServerError?
        /// Whether anything came since the file was opened: what did not is somebody else's file too, and left alone.
        var hasGrown = false
    }

    private struct State {
        var standing: Standing
        var check: ChunkCheck
    }

    private let descriptor: Int32
    private let asset: PackageManifest.Asset
    private let state: Mutex<State>

    /// Opens or makes the file of an asset in a folder, and goes on where it was right: behind so many bytes, or at the
    /// beginning where it has fewer. It reads the chunk that was begun. Throws ``ServerError``.
    init(
        _ name: String, of asset: PackageManifest.Asset, in folder: Folder, from trusted: Int64
    ) throws(ServerError) {
        descriptor = unsafe openat(
            folder.descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .files("\(name) cannot be made") }
        self.asset = asset
        var facts = stat()
        let size = unsafe fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
        let count = size >= trusted && trusted <= asset.size ? trusted : 0
        state = Mutex(State(standing: Standing(count: 0), check: ChunkCheck(asset.chunks)))
        // A server that was given up may go on all the same, and so may its own former piece.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw ServerError(.packagesBusy, "Another server still fetches \(name). It is tried again.")
        }
        try cut(to: count)
    }

    deinit { _ = close(descriptor) }

    var standing: Standing { state.withLock { $0.standing } }

    /// Goes on behind so many bytes; none begins anew. Throws ``ServerError``.
    func cut(to count: Int64) throws(ServerError) {
        // Even a cut to its own length would change the time of a file that is served too.
        var facts = stat()
        let isSo = unsafe fstat(descriptor, &facts) == 0 && Int64(facts.st_size) == count
        guard isSo || ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw .files("a file that is fetched cannot be cut")
        }
        let isRead = state.withLock { state in
            state.standing = Standing(count: count)
            state.check = ChunkCheck(asset.chunks, from: count)
            guard let chunks = asset.chunks else { return true }
            var place = count - count % chunks.size
            while place < count {
                let wanted = Int(min(count - place, 1 << 20))
                let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                    unsafe filled = max(0, pread(descriptor, buffer.baseAddress, wanted, off_t(place)))
                }
                if bytes.isEmpty { return false }
                _ = state.check.take(bytes)
                place += Int64(bytes.count)
            }
            return true
        }
        guard isRead else { throw .files("a file that is fetched cannot be read") }
    }

    /// Appends bytes; false where they are wrong, too many, or the disk refuses.
    func append(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.standing.count + Int64(bytes.count) <= asset.size else {
                state.standing.isTooLong = true
                return false
            }
            if let chunk = state.check.take(bytes) {
                state.standing.damagedChunk = chunk
                return false
            }
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    state.standing.failure = .files("a file that is fetched cannot be written")
                    return false
                }
                written += count
            }
            state.standing.count += Int64(bytes.count)
            state.standing.hasGrown = true
            return true
        }
    }

    /// Whether the manifest has digests of its bytes.
    var hasDigests: Bool { asset.chunks != nil }

    /// Whether all of the file has a checksum; where it has not, nothing of it is kept. A checksum of no known kind tells
    /// nothing. Throws ``ServerError``.
    func matches(_ checksum: [UInt8]) throws(ServerError) -> Bool {
        guard let running = RunningChecksum(checksum) else { return true }
        var place: Int64 = 0
        while place < asset.size {
            let wanted = Int(min(asset.size - place, 1 << 20))
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                unsafe filled = max(0, pread(descriptor, buffer.baseAddress, wanted, off_t(place)))
            }
            if bytes.isEmpty { throw .files("a file that is fetched cannot be read") }
            running.update(bytes)
            place += Int64(bytes.count)
        }
        if running.matches() { return true }
        try cut(to: 0)
        return false
    }

    /// Makes what was appended lasting, and looks at the last chunk where all is there; a chunk that was wrong is cut off.
    /// Answers how it stands. Throws ``ServerError``.
    func settle() throws(ServerError) -> Standing {
        let standing = state.withLock { state in
            if state.standing.hasGrown, state.standing.damagedChunk == nil, state.standing.count == asset.size,
                let chunk = state.check.end()
            {
                state.standing.damagedChunk = chunk
            }
            return state.standing
        }
        if let chunk = standing.damagedChunk, let chunks = asset.chunks {
            // Right chunks that came together with the wrong one were not written.
            try cut(to: min(Int64(chunk - 1) * chunks.size, standing.count))
            state.withLock { $0.standing.damagedChunk = chunk }
        }
        guard fsync(descriptor) == 0 else { throw .files("a file that is fetched cannot be made lasting") }
        return state.withLock { $0.standing }
    }
}

/// The folders that packages are fetched into: below the shelf, where no address leads to, one for each import.
struct FetchingPlace: Sendable {
    let shelf: PackageShelf

    /// What no tenant can be called.
    static let name = ".fetching"

    /// The folder of an import, with `variant` and `delta` in it. Throws ``ServerError``.
    func made(_ one: PackageImport) throws(ServerError) -> Folder {
        let all = try Folder.made(shelf.path).made(Self.name)
        let folder = try all.made(Self.folder(of: one))
        for name in ["variant", "delta"] { _ = try folder.made(name) }
        try all.sync()
        return folder
    }

    /// Nil where there is none.
    func opened(_ one: PackageImport) throws(ServerError) -> Folder? {
        try Folder.open(shelf.path)?.folder(Self.name)?.folder(Self.folder(of: one))
    }

    /// The path of the folder, for who opens it by that.
    func path(_ one: PackageImport) -> String { "\(shelf.path)/\(Self.name)/\(Self.folder(of: one))" }

    func remove(_ one: PackageImport) throws(ServerError) {
        try Folder.open(shelf.path)?.folder(Self.name)?.remove(Self.folder(of: one))
    }

    static func folder(of one: PackageImport) -> String { "\(one.tenant).\(one.id)" }

    /// What an import's manifest says; nil where it is not there. Throws ``ServerError``.
    func manifest(_ one: PackageImport) throws(ServerError) -> PackageManifest? {
        guard let file = try opened(one)?.file("manifest.json"), file.size <= PackageManifest.byteLimit else {
            return nil
        }
        return try? PackageManifest(parsing: FilePart(file).read())
    }
}
