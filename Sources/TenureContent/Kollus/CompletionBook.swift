import Foundation
import Glibc
import Synchronization
import TenureCore
import TenureFormats
import TenureServerKit
import TenureThreads

/// A download that was completed, as Kollus's player told it.
struct Completion: Sendable, Hashable {
    let tenant: TenantID
    let key: String
    let user: String
    let player: String
    let at: Timestamp

    /// The item that told it.
    var item: KollusItem { KollusItem(kind: .complete, key: key, user: user, player: player) }

    /// Names the download, whenever it was told.
    fileprivate var name: Digest { .sha256(of: "\(tenant)\n\(key)\n\(user)\n\(player)") }

    /// A line of the book: the beginning of a digest, and what it is of.
    fileprivate var line: [UInt8] {
        let json = JSONWriter.object { object in
            object.member("tenant", tenant.text)
            object.member("key", key)
            object.member("user", user)
            object.member("player", player)
            object.member("at", at.seconds)
        }
        return Self.check(json) + json + [UInt8(ascii: "\n")]
    }

    /// Reads a line; nil for one that was torn.
    fileprivate init?(line: ArraySlice<UInt8>) {
        let json = Array(line.dropFirst(Self.checkLength))
        guard line.prefix(Self.checkLength).elementsEqual(Self.check(json)),
            let object = try? FlatObject(scanning: json),
            let tenant = object.string("tenant").value.flatMap({ TenantID($0) }), let key = object.string("key").value,
            let user = object.string("user").value, let player = object.string("player").value,
            let at = object.integer("at").value
        else { return nil }
        self.init(tenant: tenant, key: key, user: user, player: player, at: Timestamp(seconds: at))
    }

    init(tenant: TenantID, key: String, user: String, player: String, at moment: Timestamp) {
        self.tenant = tenant
        self.key = key
        self.user = user
        self.player = player
        at = moment
    }

    private static let checkLength = 17

    private static func check(_ json: [UInt8]) -> [UInt8] {
        Array((Hex.encode(Array(Digest.sha256(of: json).bytes.prefix(8))) + " ").utf8)
    }
}

/// Keeps completed downloads on this machine's disk while the store does not answer: a player that hears no yes throws
/// away what was paid for.
///
/// An entry is synced to disk before ``add(_:)`` returns; those that come together share one sync. Each download stands in
/// it once. What is taken out was entered into the store; the file is emptied when nothing is left in it.
final class CompletionBook: Sendable {
    private struct Pages {
        var waiting: [Completion] = []
        var names: Set<Digest> = []
        var unwritten: [UInt8] = []
        var lost = 0
    }

    private let limit: Int
    private let pages: Mutex<Pages>
    private let lane: Lane<BookFile>

    /// Opens the book of a folder with what a server before left in it; without a folder nothing can be kept.
    /// - Parameter limit: The most entries.
    init(in folder: String?, limit: Int = 1_000_000) throws(ServerError) {
        self.limit = limit
        let file = BookFile(folder: folder)
        var pages = Pages()
        for completion in file.read() where pages.names.insert(completion.name).inserted {
            pages.waiting.append(completion)
        }
        self.pages = Mutex(pages)
        do {
            lane = try Lane(threads: 1, limit: 100_000) { file }
        } catch {
            throw ServerError(.init("no_threads"), error.description, cause: error.cause)
        }
    }

    /// How many entries wait to be entered.
    var waiting: Int { pages.withLock { $0.waiting.count } }

    /// How many could not be kept.
    var lost: Int { pages.withLock { $0.lost } }

    /// Writes an entry down, unless it is there; synced to disk before this returns. A full book, or a full disk, is
    /// counted.
    func add(_ completion: Completion) async {
        let isNoted = pages.withLock { pages in
            guard !pages.names.contains(completion.name) else { return true }
            guard pages.waiting.count < limit else {
                pages.lost += 1
                return false
            }
            pages.names.insert(completion.name)
            pages.waiting.append(completion)
            pages.unwritten += completion.line
            return true
        }
        guard isNoted else { return }
        do throws(LaneRefusal) {
            // Whoever comes first writes for all that wait.
            try await lane.run(
                { [self] file throws(LaneRefusal) in
                    let bytes = pages.withLock { pages in
                        defer { pages.unwritten = [] }
                        return pages.unwritten
                    }
                    if !file.append(bytes) { pages.withLock { $0.lost += 1 } }
                }, refused: { $0 })
        } catch {
            // The next one writes it; a fall before that loses it.
            pages.withLock { $0.lost += 1 }
        }
    }

    /// Its gauges in the Prometheus text format.
    var exposition: String {
        var text = PrometheusText()
        text.family(
            "tenure_kollus_completions_waiting", .gauge,
            "Completed downloads that wait for the store in the local book.")
        text.sample([:], Double(waiting))
        text.family(
            "tenure_kollus_completions_lost_total", .counter,
            "Completed downloads that could not be kept: see the disk.")
        text.sample([:], Double(lost))
        return text.text
    }

    /// The oldest entries, so many at most; they stay until they are taken out.
    func oldest(_ count: Int) -> [Completion] { pages.withLock { Array($0.waiting.prefix(count)) } }

    /// Takes out the oldest entries, which were entered. When none is left the file is emptied.
    func takeOut(_ entered: [Completion]) async {
        let isEmpty = pages.withLock { pages in
            pages.waiting.removeFirst(entered.count)
            for completion in entered { pages.names.remove(completion.name) }
            return pages.waiting.isEmpty
        }
        guard isEmpty else { return }
        try? await lane.run(
            { [self] file throws(LaneRefusal) in
                // Somebody may have come in between; then it is emptied later.
                if pages.withLock({ $0.waiting.isEmpty }) { file.empty() }
            }, refused: { $0 })
    }
}

/// What local books hold, for whoever looks at a folder from outside.
package enum KollusBooks {
    /// How many completed downloads stand in the books of a folder.
    package static func entries(in folder: String) -> Int {
        (0..<BookFile.most).reduce(0) { sum, place in
            let bytes = (try? Data(contentsOf: URL(filePath: BookFile.path(place, in: folder)))) ?? Data()
            return sum + bytes.count { $0 == UInt8(ascii: "\n") }
        }
    }
}

/// The book's file. Used by one thread after it was opened.
// No lock: the book's one thread alone uses it after `init`.
private final class BookFile: @unchecked Sendable {
    private let folder: String?
    private var descriptor: Int32 = -1

    /// Takes hold of the first book in the folder that no other server has.
    init(folder: String?) {
        self.folder = folder
        for place in 0..<Self.most where access(path(place), F_OK) == 0 {
            if hold(place) { return }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The entries that are whole.
    func read() -> [Completion] {
        guard descriptor >= 0 else { return [] }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        lseek(descriptor, 0, SEEK_SET)
        while case let count = Glibc.read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        // A line that a crash tore ends here, so that the next one is whole.
        if let last = bytes.last, last != UInt8(ascii: "\n") { _ = append([UInt8(ascii: "\n")]) }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { Completion(line: $0) }
    }

    /// Appends and syncs; answers whether that was done.
    func append(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        guard descriptor >= 0 || make() else { return false }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return fdatasync(descriptor) == 0
    }

    /// Empties the file.
    func empty() {
        guard descriptor >= 0, ftruncate(descriptor, 0) == 0 else { return }
        fdatasync(descriptor)
    }

    private func make() -> Bool {
        guard let folder else { return false }
        mkdir(folder, 0o700)
        for place in 0..<Self.most where hold(place) {
            let opened = open(folder, O_RDONLY | O_DIRECTORY)
            if opened >= 0 {
                fsync(opened)
                close(opened)
            }
            return true
        }
        return false
    }

    private func hold(_ place: Int) -> Bool {
        guard folder != nil else { return false }
        let opened = open(path(place), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard opened >= 0 else { return false }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            return false
        }
        descriptor = opened
        return true
    }

    private func path(_ place: Int) -> String { Self.path(place, in: folder ?? "") }

    static func path(_ place: Int, in folder: String) -> String { "\(folder)/kollus-completions-\(place)" }

    /// How many servers may share a folder.
    static let most = 16
}
