import FoundationEssentials
import Synchronization
import TenureMarketplace

/// The partial file of an asset, which accepts only bytes that match the manifest's chunk digests.
///
/// The transport's thread appends to the file, so memory never holds more than one received piece.
final class PartialAsset: Sendable {
    /// Why received bytes were rejected.
    enum Fault: Sendable, Hashable {
        /// The chunk with this number, counted from 1, doesn't match its digest in the manifest.
        case damaged(Int)
        /// More bytes arrived than the asset has according to the manifest.
        case tooLong
        /// Writing to the disk failed, with the system's message.
        case disk(String)
    }

    private struct State {
        let file: DiskFile
        var count: Int64 = 0
        var check: ChunkCheck
        var fault: Fault?
    }

    let asset: PackageManifest.Asset
    private let path: String
    private let state: Mutex<State>

    /// Opens or creates the file, verifies its contents, and truncates it after the last correct whole chunk.
    init(_ asset: PackageManifest.Asset, at path: String) throws(DeviceError) {
        self.asset = asset
        self.path = path
        guard let file = DiskFile(updating: path) else {
            throw DeviceError(.badFolder, "The file \(path) can't be opened.")
        }
        state = Mutex(State(file: file, check: ChunkCheck(asset.chunks)))
        let right = state.withLock { Self.right(in: $0.file, of: asset) }
        try cut(to: right)
    }

    /// The number of bytes in the file, all of which have been accepted.
    var count: Int64 { state.withLock(\.count) }

    var isWhole: Bool { count == asset.size }

    /// The strong ETag of the file that the bytes come from; `nil` if the server sent none.
    var tag: String? {
        FileManager.default.contents(atPath: path + ".etag").map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a download may resume after these bytes.
    ///
    /// If the manifest has no digests, only an ETag shows that the server still has the same file.
    var mayGoOn: Bool { count > 0 && (asset.chunks != nil || tag != nil) }

    func keep(tag: String?) {
        let strong = tag.flatMap { $0.hasPrefix("\"") && $0.utf8.count <= 256 ? $0 : nil }
        let url = URL(filePath: path + ".etag")
        guard let strong else { return _ = try? FileManager.default.removeItem(at: url) }
        try? Data(strong.utf8).write(to: url, options: .atomic)
    }

    /// Truncates the file to a length; if the asset has digests, `count` must be the end of a chunk.
    func cut(to count: Int64) throws(DeviceError) {
        let isCut = state.withLock { state in
            (state.count, state.fault) = (count, nil)
            state.check = ChunkCheck(asset.chunks, from: count)
            return state.file.cut(to: count)
        }
        guard isCut else { throw DeviceError(.badFolder, "The file \(path) can't be truncated.") }
    }

    /// Appends bytes; returns false if the bytes are wrong or too many, or if writing fails.
    func append(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.count + Int64(bytes.count) <= asset.size else {
                state.fault = .tooLong
                return false
            }
            if let chunk = state.check.take(bytes) {
                state.fault = .damaged(chunk)
                return false
            }
            if let problem = state.file.write(bytes) {
                state.fault = .disk(problem)
                return false
            }
            state.count += Int64(bytes.count)
            return true
        }
    }

    /// Verifies the last chunk of a complete file and removes wrong or incomplete chunks; returns the fault, if any.
    func finish() throws(DeviceError) -> Fault? {
        let (fault, count) = state.withLock { state in
            if state.fault == nil, state.count == asset.size, let chunk = state.check.end() {
                state.fault = .damaged(chunk)
            }
            return (state.fault, state.count)
        }
        if let chunks = asset.chunks {
            var right = count == asset.size ? count : count - count % chunks.size
            if case .damaged(let chunk) = fault { right = min(right, Int64(chunk - 1) * chunks.size) }
            if right != count || fault != nil { try cut(to: right) }
        }
        return fault
    }

    /// Returns the length of the correct whole chunks at the start of a file; all bytes count if there are no digests.
    private static func right(in file: DiskFile, of asset: PackageManifest.Asset) -> Int64 {
        let size = file.size
        guard size <= asset.size else { return 0 }
        guard let chunks = asset.chunks else { return size }
        file.goToStart()
        var (check, offset, damaged) = (ChunkCheck(chunks), Int64(0), Int?.none)
        while damaged == nil, offset < size {
            guard let bytes = file.read(upTo: 1 << 20), !bytes.isEmpty else { return 0 }
            offset += Int64(bytes.count)
            damaged = check.take(bytes)
        }
        if damaged == nil, offset == asset.size { damaged = check.end() }
        if let damaged { return Int64(damaged - 1) * chunks.size }
        return offset == asset.size ? offset : offset - offset % chunks.size
    }
}
