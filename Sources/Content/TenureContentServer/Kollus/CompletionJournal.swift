import FoundationEssentials
import Glibc
import Synchronization
import TenureContent
import TenureCore
import TenureFiles
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

    init(tenant: TenantID, key: String, user: String, player: String, at time: Timestamp) {
        self.tenant = tenant
        self.key = key
        self.user = user
        self.player = player
        at = time
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

        /// Puts entries whose write failed back in front of the newer ones.
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
        (0..<JournalFile.most).reduce(0) { sum, index in
            let bytes = (try? Data(contentsOf: URL(filePath: JournalFile.path(index, in: folder)))) ?? Data()
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
    private var file: FileDescriptor?
    /// Whether a part of the file couldn't be read. The file is then never truncated, so that a later start can read
    /// it.
    private var hasUnreadPart = false

    /// Opens and locks the first existing journal in the folder that no other server has locked.
    init(folder: String?) {
        self.folder = folder
        for index in 0..<Self.most where access(path(index), F_OK) == 0 {
            if hold(index) { return }
        }
    }

    /// Reads the complete entries and skips damaged lines; if the disk fails, returns those before the failure.
    func read() -> [Completion] {
        guard let file, lseek(file.number, 0, SEEK_SET) == 0 else { return [] }
        var bytes: [UInt8] = []
        do throws(Errno) {
            while case let chunk = try file.read(upTo: 64 << 10), !chunk.isEmpty { bytes += chunk }
        } catch {
            hasUnreadPart = true
        }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { Completion(line: $0) }
    }

    /// Appends bytes and syncs the file; returns whether both succeeded.
    func append(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        guard file != nil || make(), let file else { return false }
        do throws(Errno) {
            // Without this line feed, an entry after an incomplete line would be read as part of it.
            try file.write(isTorn(file) ? [UInt8(ascii: "\n")] + bytes : bytes)
        } catch {
            return false
        }
        return fdatasync(file.number) == 0
    }

    /// Whether the last line is incomplete because a crash or a full disk cut it off.
    private func isTorn(_ file: FileDescriptor) -> Bool {
        let size = lseek(file.number, 0, SEEK_END)
        guard size > 0, let last = try? file.read(at: size - 1, count: 1).first else { return false }
        return last != UInt8(ascii: "\n")
    }

    /// Truncates the file to zero bytes and syncs it.
    func empty() {
        guard let file, !hasUnreadPart, ftruncate(file.number, 0) == 0 else { return }
        fdatasync(file.number)
    }

    private func make() -> Bool {
        guard let folder else { return false }
        mkdir(folder, 0o700)
        for index in 0..<Self.most where hold(index) {
            try? FileDescriptor(opening: folder, O_RDONLY | O_DIRECTORY).synchronizeNames()
            return true
        }
        return false
    }

    private func hold(_ slot: Int) -> Bool {
        guard folder != nil,
            let opened = try? FileDescriptor(opening: path(slot), O_RDWR | O_CREAT | O_APPEND, mode: 0o600),
            opened.tryLock() == .acquired
        else { return false }
        file = opened
        return true
    }

    private func path(_ slot: Int) -> String { Self.path(slot, in: folder ?? "") }

    static func path(_ slot: Int, in folder: String) -> String { "\(folder)/kollus-completions-\(slot)" }

    /// The maximum number of servers that share a folder.
    static let most = 16
}
