import FoundationEssentials
import Glibc
import Synchronization
import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit
import TenureThreads

/// A completed download that Kollus's player reported.
struct Completion: Sendable, Hashable {
    let tenant: TenantID
    let key: String
    let user: String
    let player: String
    let at: Timestamp

    /// The callback item that reported the download, without its optional members.
    var item: KollusItem { KollusItem(kind: .complete, key: key, user: user, player: player) }

    /// Identifies the download, regardless of the time of the report.
    fileprivate var name: Digest { .sha256(of: "\(tenant)\n\(key)\n\(user)\n\(player)") }

    /// A line of the journal: the start of a digest, followed by the JSON that it covers.
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

    /// Reads a line of the journal; `nil` if it is damaged or incomplete.
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

/// A local journal of completed downloads for the time when the store doesn't respond.
///
/// A player that gets no confirmation deletes the download, which the user may have paid for. An entry is synced to
/// disk before ``add(_:)`` returns, and concurrent entries share one sync. Each download has one entry. Entries are
/// removed once they are in the store, and the file is truncated when no entry is left.
final class CompletionJournal: Sendable {
    private struct Pages {
        var waiting: [Completion] = []
        var names: Set<Digest> = []
        /// Entries that aren't on disk yet, oldest first; `hasFailed` is set once writing an entry has failed.
        var unwritten: [(completion: Completion, hasFailed: Bool)] = []
        var lost = 0

        /// Puts back entries after a failed write.
        ///
        /// Each entry counts as lost only once, no matter how often writing it fails.
        mutating func putBack(_ group: [(completion: Completion, hasFailed: Bool)]) {
            lost += group.count { !$0.hasFailed }
            unwritten.insert(contentsOf: group.map { ($0.completion, true) }, at: 0)
        }
    }

    private let limit: Int
    private let pages: Mutex<Pages>
    private let pool: WorkerPool<JournalFile>

    /// Opens the journal in a folder, with the entries that an earlier server left.
    ///
    /// If `folder` is `nil`, nothing can be stored on disk, and every entry counts as lost.
    ///
    /// - Parameters:
    ///   - folder: The folder of the journal file.
    ///   - limit: The maximum number of entries.
    init(in folder: String?, limit: Int = 1_000_000) throws(ServerError) {
        self.limit = limit
        let file = JournalFile(folder: folder)
        var pages = Pages()
        for completion in file.read() where pages.names.insert(completion.name).inserted {
            pages.waiting.append(completion)
        }
        self.pages = Mutex(pages)
        do {
            pool = try WorkerPool(threads: 1, limit: 100_000) { file }
        } catch {
            throw ServerError(.init("no_threads"), error.description, cause: error.cause)
        }
    }

    /// The number of entries that aren't in the store yet.
    var waiting: Int { pages.withLock { $0.waiting.count } }

    /// The number of entries that aren't on disk, because the journal was full or a write failed.
    var lost: Int { pages.withLock { $0.lost } }

    /// Writes an entry to disk and syncs it before returning, unless the download already has an entry.
    ///
    /// Entries whose earlier write failed are written with it. A full journal or a failed write increases ``lost``.
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
        // The first caller writes all pending entries.
        let isDone: Void? = try? await pool.run(
            { [self] file throws(WorkerPoolRefusal) in writeUnwritten(to: file) }, refused: { $0 })
        if isDone == nil {
            pages.withLock { pages in
                let all = pages.unwritten
                pages.unwritten = []
                pages.putBack(all)
            }
        }
    }

    /// Writes the entries that aren't on disk yet in groups; stops at the first failed write.
    private func writeUnwritten(to file: JournalFile) {
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

    /// The journal's metrics in the Prometheus text format.
    var exposition: String {
        var text = PrometheusText()
        text.family(
            "tenure_kollus_completions_waiting", .gauge,
            "Completed downloads in the local journal that wait for the store.")
        text.sample([:], Double(waiting))
        text.family(
            "tenure_kollus_completions_lost_total", .counter,
            "Completed downloads that couldn't be written to the local journal because it was full or a write failed; "
                + "check the disk."
        )
        text.sample([:], Double(lost))
        return text.text
    }

    /// Returns the oldest entries, at most `count`.
    ///
    /// They stay in the journal until they are removed.
    func oldest(_ count: Int) -> [Completion] { pages.withLock { Array($0.waiting.prefix(count)) } }

    /// Removes the oldest entries, which have been written to the store.
    ///
    /// If no entry is left, the file is truncated.
    func takeOut(_ entered: [Completion]) async {
        let isEmpty = pages.withLock { pages in
            pages.waiting.removeFirst(entered.count)
            for completion in entered { pages.names.remove(completion.name) }
            pages.unwritten.removeAll { !pages.names.contains($0.completion.name) }
            return pages.waiting.isEmpty
        }
        guard isEmpty else { return }
        try? await pool.run(
            { [self] file throws(WorkerPoolRefusal) in
                // If a new entry was added meanwhile, the file is truncated later.
                if pages.withLock({ $0.waiting.isEmpty }) { file.empty() }
            }, refused: { $0 })
    }
}

/// Reads local journals from outside the server.
enum KollusJournals {
    /// The number of completed downloads in the journals of a folder.
    static func entries(in folder: String) -> Int {
        (0..<JournalFile.most).reduce(0) { sum, place in
            let bytes = (try? Data(contentsOf: URL(filePath: JournalFile.path(place, in: folder)))) ?? Data()
            return sum + bytes.count { $0 == UInt8(ascii: "\n") }
        }
    }
}

/// The file of a journal.
///
/// Several servers may share a folder; each locks a file of its own.
// No lock: only the journal's thread uses it after `init`.
private final class JournalFile: @unchecked Sendable {
    private let folder: String?
    private var descriptor: Int32 = -1

    /// Opens and locks the first existing journal in the folder that no other server has locked.
    init(folder: String?) {
        self.folder = folder
        for place in 0..<Self.most where access(path(place), F_OK) == 0 {
            if hold(place) { return }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the complete entries and skips damaged lines.
    func read() -> [Completion] {
        guard descriptor >= 0 else { return [] }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        lseek(descriptor, 0, SEEK_SET)
        while case let count = Glibc.read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { Completion(line: $0) }
    }

    /// Appends bytes and syncs the file; returns whether both succeeded.
    func append(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        guard descriptor >= 0 || make() else { return false }
        // Without this line feed, an entry after an incomplete line would be read as part of it.
        var rest = (isTorn ? [UInt8(ascii: "\n")] + bytes : bytes)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return fdatasync(descriptor) == 0
    }

    /// Whether the last line is incomplete because a crash or a full disk cut it off.
    private var isTorn: Bool {
        let size = lseek(descriptor, 0, SEEK_END)
        var last = UInt8(ascii: "\n")
        return size > 0 && pread(descriptor, &last, 1, size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    /// Truncates the file to zero bytes and syncs it.
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

    /// The maximum number of servers that share a folder.
    static let most = 16
}
