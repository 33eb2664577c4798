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
        /// Entries that are not on disk yet, the oldest first; `hasFailed` once a write of them failed.
        var unwritten: [(completion: Completion, hasFailed: Bool)] = []
        var lost = 0

        /// Puts entries back whose write failed. Each counts as lost once, however often it is tried.
        mutating func putBack(_ group: [(completion: Completion, hasFailed: Bool)]) {
            lost += group.count { !$0.hasFailed }
            unwritten.insert(contentsOf: group.map { ($0.completion, true) }, at: 0)
        }
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

    /// Writes an entry to disk and syncs it before returning, unless it is there already. Entries whose earlier write
    /// failed are written with it. A full journal or a failed write is counted.
    func add(_ completion: Completion) async {
        let isNoted = pages.withLock { pages in
            guard !pages.names.contains(completion.name) else { return true }
            guard pages.waiting.count < limit else {
                pages.lost += 1
                return false
            }
            pages.names.insert(completion.name)
            pages.waiting.append(completion)
            pages.unwritten.append((completion, false))
            return true
        }
        guard isNoted else { return }
        // The first caller writes for all that wait.
        let isDone: Void? = try? await lane.run(
            { [self] file throws(LaneRefusal) in writeUnwritten(to: file) }, refused: { $0 })
        if isDone == nil {
            pages.withLock { pages in
                let all = pages.unwritten
                pages.unwritten = []
                pages.putBack(all)
            }
        }
    }

    /// Writes the entries that are not on disk yet, a group at a time; stops at the first write that fails.
    private func writeUnwritten(to file: BookFile) {
        while true {
            let group = pages.withLock { pages in
                let group = Array(pages.unwritten.prefix(Self.group))
                pages.unwritten.removeFirst(group.count)
                return group
            }
            if group.isEmpty { return }
            guard file.append(group.flatMap(\.completion.line)) else {
                return pages.withLock { $0.putBack(group) }
            }
        }
    }

    private static let group = 1_000

    /// Its gauges in the Prometheus text format.
    var exposition: String {
        var text = PrometheusText()
        text.family(
            "tenure_kollus_completions_waiting", .gauge,
            "Completed downloads that wait for the store in the local book.")
        text.sample([:], Double(waiting))
        text.family(
            "tenure_kollus_completions_lost_total", .counter,
            "Completed downloads that a full local book or a failed write left off the disk; see the disk.")
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
            pages.unwritten.removeAll { !pages.names.contains($0.completion.name) }
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
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { Completion(line: $0) }
    }

    /// Appends and syncs; returns whether that succeeded.
    func append(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        guard descriptor >= 0 || make() else { return false }
        // Without this line feed, an entry behind a torn line would be read as the rest of it.
        var rest = (isTorn ? [UInt8(ascii: "\n")] + bytes : bytes)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return fdatasync(descriptor) == 0
    }

    /// Whether the file's last line has no end: a crash or a full disk cut it off.
    private var isTorn: Bool {
        let size = lseek(descriptor, 0, SEEK_END)
        var last = UInt8(ascii: "\n")
        return size > 0 && pread(descriptor, &last, 1, size - 1) == 1 && last != UInt8(ascii: "\n")
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
