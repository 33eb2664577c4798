import Foundation
import Synchronization
import TenureFormats

/// What is here of an asset: a file that only right bytes are appended to, as far as whole chunks can tell.
///
/// The transport's thread writes it; memory never holds more than one piece of what comes.
final class PartialAsset: Sendable {
    /// What went wrong while bytes came.
    enum Fault: Sendable, Hashable {
        /// This chunk, counted from 1, is not what the manifest says.
        case damaged(Int)
        /// More came than the manifest says.
        case tooLong
        /// The disk refused.
        case disk(String)
    }

    private struct State {
        var handle: FileHandle
        var count: Int64 = 0
        var check: ChunkCheck
        var fault: Fault?
    }

    let asset: PackageManifest.Asset
    private let path: String
    private let state: Mutex<State>

    /// Opens or makes the file, compares what is in it with the digests, and cuts off what is wrong or no whole chunk.
    init(_ asset: PackageManifest.Asset, at path: String) throws(DeviceError) {
        self.asset = asset
        self.path = path
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard let handle = FileHandle(forUpdatingAtPath: path) else {
            throw DeviceError(.badFolder, "The file \(path) cannot be opened.")
        }
        state = Mutex(State(handle: handle, check: ChunkCheck(asset.chunks)))
        let right = state.withLock { Self.right(in: $0.handle, of: asset) }
        try cut(to: right)
    }

    deinit { state.withLock { try? $0.handle.close() } }

    /// Bytes that are here.
    var count: Int64 { state.withLock(\.count) }

    var isWhole: Bool { count == asset.size }

    /// The tag of the file that these bytes are of, as the server told it; nil where it told none that is strong.
    var tag: String? {
        FileManager.default.contents(atPath: path + ".etag").map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a download may go on behind what is here. Without digests only a tag tells that it is still that file.
    var mayGoOn: Bool { count > 0 && (asset.chunks != nil || tag != nil) }

    func keep(tag: String?) {
        let strong = tag.flatMap { $0.hasPrefix("\"") && $0.utf8.count <= 256 ? $0 : nil }
        let url = URL(filePath: path + ".etag")
        guard let strong else { return _ = try? FileManager.default.removeItem(at: url) }
        try? Data(strong.utf8).write(to: url, options: .atomic)
    }

    /// Goes on behind so many bytes, which end a chunk where there are digests.
    func cut(to count: Int64) throws(DeviceError) {
        let isCut = state.withLock { state in
            (state.count, state.fault) = (count, nil)
            state.check = ChunkCheck(asset.chunks, from: count)
            return (try? state.handle.truncate(atOffset: UInt64(count))) != nil
        }
        guard isCut else { throw DeviceError(.badFolder, "The file \(path) cannot be cut.") }
    }

    /// Appends bytes; false where they are wrong, too many, or the disk refuses.
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
            do {
                try state.handle.write(contentsOf: bytes)
            } catch {
                state.fault = .disk(error.localizedDescription)
                return false
            }
            state.count += Int64(bytes.count)
            return true
        }
    }

    /// Looks at the last chunk where all is here, and cuts off what is wrong or no whole chunk. Answers what was wrong.
    func settle() throws(DeviceError) -> Fault? {
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

    /// How many bytes of a file are whole chunks that are right; all of them where nothing can be compared.
    private static func right(in handle: FileHandle, of asset: PackageManifest.Asset) -> Int64 {
        let size = Int64(clamping: (try? handle.seekToEnd()) ?? 0)
        guard size <= asset.size else { return 0 }
        guard let chunks = asset.chunks else { return size }
        try? handle.seek(toOffset: 0)
        var (check, place, damaged) = (ChunkCheck(chunks), Int64(0), Int?.none)
        while damaged == nil, place < size {
            guard let data = try? handle.read(upToCount: 1 << 20), !data.isEmpty else { return 0 }
            place += Int64(data.count)
            damaged = check.take(Array(data))
        }
        if damaged == nil, place == asset.size { damaged = check.end() }
        if let damaged { return Int64(damaged - 1) * chunks.size }
        return place == asset.size ? place : place - place % chunks.size
    }
}
