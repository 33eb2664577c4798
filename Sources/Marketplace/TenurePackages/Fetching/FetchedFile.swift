import Glibc
import Synchronization
import TenureCrypto
import TenureFiles
import TenureMarketplace
import TenureServerKit

/// The file of an asset during its download.
///
/// Bytes are checked against the manifest's digests before they are appended.
///
/// One thread writes at a time; other threads may read the count.
final class FetchedFile: Sendable {
    /// The progress of the file, and the error that stopped the writing.
    struct Status: Sendable {
        /// The number of bytes in the file; all complete chunks among them are correct.
        var count: Int64
        /// The damaged chunk, counted from 1; `nil` if none was found.
        var damagedChunk: Int?
        /// Whether more bytes arrived than the manifest states.
        var isTooLong = false
        /// The error of a failed write; `nil` if no write failed.
        var failure: ServerError?
        /// Whether bytes were appended since the file was opened.
        ///
        /// If no bytes were appended, the file may be linked to a served one, so it must not be changed.
        var hasGrown = false
    }

    private struct State {
        var status: Status
        var check: ChunkCheck
    }

    private let file: FileDescriptor
    private var descriptor: Int32 { file.number }
    private let asset: PackageManifest.Asset
    private let state: Mutex<State>

    /// Opens or creates an asset's file and continues after the trusted bytes.
    ///
    /// If the file is shorter than the trusted bytes, the download starts from the beginning. The part of an incomplete
    /// chunk is read again for its digest. Throws ``ServerError`` if another server is fetching the file, or if the
    /// disk fails.
    init(
        _ name: String, of asset: PackageManifest.Asset, in folder: Folder, from trusted: Int64
    ) throws(ServerError) {
        do throws(Errno) {
            file = try FileDescriptor(opening: name, in: folder.opened, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o644)
        } catch {
            throw .files("\(name) can't be created", error)
        }
        self.asset = asset
        let size = (try? file.status()).map { Int64($0.st_size) } ?? 0
        let count = size >= trusted && trusted <= asset.size ? trusted : 0
        state = Mutex(State(status: Status(count: 0), check: ChunkCheck(asset.chunks)))
        // A server that was presumed dead may still be writing, and so may the job's previous run on this server.
        if file.tryLock() == .busy {
            throw ServerError(.packagesBusy, "Another server is still fetching \(name). It will be retried.")
        }
        try cut(to: count)
    }

    var status: Status { state.withLock { $0.status } }

    /// Truncates the file to a length, after which writing continues; 0 starts over.
    ///
    /// - Throws: ``ServerError`` if the disk fails.
    func cut(to count: Int64) throws(ServerError) {
        // Truncating to the current length would change the modification time of a file that is also served.
        let hasLength = (try? file.status()).map { Int64($0.st_size) == count } ?? false
        guard hasLength || ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0
        else {
            throw .files("a downloaded file can't be truncated")
        }
        let isRead = state.withLock { state in
            state.status = Status(count: count)
            state.check = ChunkCheck(asset.chunks, from: count)
            guard let chunks = asset.chunks else { return true }
            var offset = count - count % chunks.size
            while offset < count {
                let length = Int(min(count - offset, 1 << 20))
                guard let bytes = try? file.read(at: Int(offset), count: length), !bytes.isEmpty else { return false }
                _ = state.check.take(bytes)
                offset += Int64(bytes.count)
            }
            return true
        }
        guard isRead else { throw .files("a downloaded file can't be read") }
    }

    /// Appends bytes; returns `false` if they are damaged or too many, or if the write fails.
    func append(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.status.count + Int64(bytes.count) <= asset.size else {
                state.status.isTooLong = true
                return false
            }
            if let chunk = state.check.take(bytes) {
                state.status.damagedChunk = chunk
                return false
            }
            do throws(Errno) {
                try file.write(bytes)
            } catch {
                state.status.failure = .files("a downloaded file can't be written", error)
                return false
            }
            state.status.count += Int64(bytes.count)
            state.status.hasGrown = true
            return true
        }
    }

    var hasDigests: Bool { asset.chunks != nil }

    /// Whether the complete file matches a checksum; if not, the file is emptied.
    ///
    /// A checksum of an unknown algorithm always matches. Throws ``ServerError`` if the disk fails.
    func matches(_ checksum: [UInt8]) throws(ServerError) -> Bool {
        guard let running = RunningChecksum(checksum) else { return true }
        var offset: Int64 = 0
        while offset < asset.size {
            let length = Int(min(asset.size - offset, 1 << 20))
            guard let bytes = try? file.read(at: Int(offset), count: length), !bytes.isEmpty else {
                throw .files("a downloaded file can't be read")
            }
            running.update(bytes)
            offset += Int64(bytes.count)
        }
        if running.matches() { return true }
        try cut(to: 0)
        return false
    }

    /// Flushes the appended bytes to disk, checks the last chunk of a complete file and cuts off a damaged chunk.
    ///
    /// The result is the progress after that. Throws ``ServerError`` if the disk fails.
    func finish() throws(ServerError) -> Status {
        let status = state.withLock { state in
            if state.status.hasGrown, state.status.damagedChunk == nil, state.status.count == asset.size,
                let chunk = state.check.end()
            {
                state.status.damagedChunk = chunk
            }
            return state.status
        }
        if let chunk = status.damagedChunk, let chunks = asset.chunks {
            // Correct chunks that arrived in the same batch as the damaged chunk weren't written, so the file may end
            // before the damaged chunk.
            try cut(to: min(Int64(chunk - 1) * chunks.size, status.count))
            state.withLock { $0.status.damagedChunk = chunk }
        }
        do throws(Errno) {
            try file.synchronize()
        } catch {
            throw .files("a downloaded file can't be synced to disk", error)
        }
        return state.withLock { $0.status }
    }
}

/// The folders of running imports, one for each import.
///
/// The folders are inside the packages folder, at a path that no URL reaches.
struct FetchFolder: Sendable {
    let packageStore: PackageStore

    /// The name of the folder that contains the imports' folders; no tenant can have this name.
    static let name = ".fetching"

    /// Opens or creates an import's folder with its `variant` and `delta` subfolders.
    ///
    /// - Throws: ``ServerError`` if the disk fails.
    func folder(_ packageImport: PackageImport) throws(ServerError) -> Folder {
        let all = try Folder.creating(packageStore.path).creating(Self.name)
        let folder = try all.creating(Self.folder(of: packageImport))
        for name in ["variant", "delta"] { _ = try folder.creating(name) }
        try all.sync()
        return folder
    }

    /// Opens an import's folder; `nil` if it doesn't exist.
    func opened(_ packageImport: PackageImport) throws(ServerError) -> Folder? {
        try Folder.open(packageStore.path)?.folder(Self.name)?.folder(Self.folder(of: packageImport))
    }

    /// The path of an import's folder, for code that opens it by path.
    func path(_ packageImport: PackageImport) -> String {
        "\(packageStore.path)/\(Self.name)/\(Self.folder(of: packageImport))"
    }

    func remove(_ packageImport: PackageImport) throws(ServerError) {
        try Folder.open(packageStore.path)?.folder(Self.name)?.remove(Self.folder(of: packageImport))
    }

    static func folder(of packageImport: PackageImport) -> String { "\(packageImport.tenant).\(packageImport.id)" }

    /// Reads an import's manifest; `nil` if it's missing or invalid.
    ///
    /// - Throws: ``ServerError`` if the disk fails.
    func manifest(_ packageImport: PackageImport) throws(ServerError) -> PackageManifest? {
        guard let file = try opened(packageImport)?.file("manifest.json"), file.size <= PackageManifest.byteLimit else {
            return nil
        }
        return try? PackageManifest(parsing: file.read())
    }
}
