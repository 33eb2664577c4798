import Glibc
import Synchronization
import TenureCrypto
import TenureHTTP
import TenureMarketplace
import TenureServerKit

/// The file of an asset during its download.
///
/// Bytes are checked against the manifest's digests before they are appended.
///
/// One thread writes at a time; other threads may read the count.
final class FetchedFile: Sendable {
    /// How much of the file is correct, and what stopped the writing.
    struct Status: Sendable {
        /// The number of bytes in the file; all complete chunks among them are correct.
        var count: Int64
        /// The damaged chunk, counted from 1; `nil` if none was found.
        var damagedChunk: Int?
        /// Whether more bytes arrived than the manifest states.
        var isTooLong = false
        /// The error of a failed write; `nil` if none failed.
        var failure: ServerError?
        /// Whether bytes were appended since the file was opened.
        ///
        /// If none were, the file may be linked to a served one, so it must not be changed.
        var hasGrown = false
    }

    private struct State {
        var standing: Status
        var check: ChunkCheck
    }

    private let descriptor: Int32
    private let asset: PackageManifest.Asset
    private let state: Mutex<State>

    /// Opens or creates an asset's file and continues after the trusted bytes.
    ///
    /// If the file is shorter than that, it starts from the beginning. The part of an incomplete chunk is read again
    /// for its digest. Throws ``ServerError`` if another server is fetching the file, or if the disk fails.
    init(
        _ name: String, of asset: PackageManifest.Asset, in folder: Folder, from trusted: Int64
    ) throws(ServerError) {
        descriptor = unsafe openat(
            folder.descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .files("\(name) can't be created") }
        self.asset = asset
        var facts = stat()
        let size = unsafe fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
        let count = size >= trusted && trusted <= asset.size ? trusted : 0
        state = Mutex(State(standing: Status(count: 0), check: ChunkCheck(asset.chunks)))
        // A server that was presumed dead may still be writing, and so may the job's previous run on this server.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw ServerError(.packagesBusy, "Another server is still fetching \(name). It will be retried.")
        }
        try cut(to: count)
    }

    deinit { _ = close(descriptor) }

    var standing: Status { state.withLock { $0.standing } }

    /// Truncates the file to a length, after which writing continues; 0 starts over.
    ///
    /// - Throws: ``ServerError`` if the disk fails.
    func cut(to count: Int64) throws(ServerError) {
        // Truncating to the current length would change the modification time of a file that is also served.
        var facts = stat()
        let isSo = unsafe fstat(descriptor, &facts) == 0 && Int64(facts.st_size) == count
        guard isSo || ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw .files("a downloaded file can't be truncated")
        }
        let isRead = state.withLock { state in
            state.standing = Status(count: count)
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
        guard isRead else { throw .files("a downloaded file can't be read") }
    }

    /// Appends bytes; returns `false` if they are damaged or too many, or if the write fails.
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
                    state.standing.failure = .files("a downloaded file can't be written")
                    return false
                }
                written += count
            }
            state.standing.count += Int64(bytes.count)
            state.standing.hasGrown = true
            return true
        }
    }

    var hasDigests: Bool { asset.chunks != nil }

    /// Whether the complete file matches a checksum; if not, the file is emptied.
    ///
    /// A checksum of an unknown algorithm always matches. Throws ``ServerError`` if the disk fails.
    func matches(_ checksum: [UInt8]) throws(ServerError) -> Bool {
        guard let running = RunningChecksum(checksum) else { return true }
        var place: Int64 = 0
        while place < asset.size {
            let wanted = Int(min(asset.size - place, 1 << 20))
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                unsafe filled = max(0, pread(descriptor, buffer.baseAddress, wanted, off_t(place)))
            }
            if bytes.isEmpty { throw .files("a downloaded file can't be read") }
            running.update(bytes)
            place += Int64(bytes.count)
        }
        if running.matches() { return true }
        try cut(to: 0)
        return false
    }

    /// Flushes the appended bytes to disk, checks the last chunk of a complete file and cuts off a damaged chunk.
    ///
    /// The result is the progress after that. Throws ``ServerError`` if the disk fails.
    func settle() throws(ServerError) -> Status {
        let standing = state.withLock { state in
            if state.standing.hasGrown, state.standing.damagedChunk == nil, state.standing.count == asset.size,
                let chunk = state.check.end()
            {
                state.standing.damagedChunk = chunk
            }
            return state.standing
        }
        if let chunk = standing.damagedChunk, let chunks = asset.chunks {
            // Correct chunks that arrived in the same batch as the damaged one weren't written, so the file may be
            // shorter.
            try cut(to: min(Int64(chunk - 1) * chunks.size, standing.count))
            state.withLock { $0.standing.damagedChunk = chunk }
        }
        guard fsync(descriptor) == 0 else { throw .files("a downloaded file can't be synced to disk") }
        return state.withLock { $0.standing }
    }
}

/// The folders of running imports, one for each import.
///
/// They are inside the packages folder, at a path that no URL reaches.
struct FetchFolder: Sendable {
    let packageStore: PackageStore

    /// The name of the folder that contains the imports' folders; no tenant can have this name.
    static let name = ".fetching"

    /// Opens or creates an import's folder with its `variant` and `delta` subfolders.
    ///
    /// - Throws: ``ServerError`` if the disk fails.
    func made(_ one: PackageImport) throws(ServerError) -> Folder {
        let all = try Folder.made(packageStore.path).made(Self.name)
        let folder = try all.made(Self.folder(of: one))
        for name in ["variant", "delta"] { _ = try folder.made(name) }
        try all.sync()
        return folder
    }

    /// Opens an import's folder; `nil` if it doesn't exist.
    func opened(_ one: PackageImport) throws(ServerError) -> Folder? {
        try Folder.open(packageStore.path)?.folder(Self.name)?.folder(Self.folder(of: one))
    }

    /// The path of an import's folder, for code that opens it by path.
    func path(_ one: PackageImport) -> String { "\(packageStore.path)/\(Self.name)/\(Self.folder(of: one))" }

    func remove(_ one: PackageImport) throws(ServerError) {
        try Folder.open(packageStore.path)?.folder(Self.name)?.remove(Self.folder(of: one))
    }

    static func folder(of one: PackageImport) -> String { "\(one.tenant).\(one.id)" }

    /// Reads an import's manifest; `nil` if it's missing or invalid.
    ///
    /// - Throws: ``ServerError`` if the disk fails.
    func manifest(_ one: PackageImport) throws(ServerError) -> PackageManifest? {
        guard let file = try opened(one)?.file("manifest.json"), file.size <= PackageManifest.byteLimit else {
            return nil
        }
        return try? PackageManifest(parsing: OpenFile.Part(file).read())
    }
}
