import TenureContent
public import Foundation
public import TenureClient
package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureVault

/// A holder's content on this device: the licenses, their use, and the actions that are possible.
///
/// Create one library for each holder who uses the device, and keep it. Each has a separate ledger.
///
/// ```swift
/// let library = try await ContentLibrary.open(configuration, holder: "mia")
/// try await library.signIn(token: token)
/// for content in await library.contents() { print(content.title, content.status) }
/// for await event in library.renew(.due(within: .zero)) { print(event) }
/// ```
public actor ContentLibrary {
    /// The holder's name on the vendor's server.
    public nonisolated let holder: String

    let book: LedgerBook
    /// Reads the stored state without waiting for this actor.
    nonisolated let reader: LibraryReader
    let service: ContentService
    let clocks: ContentClocks
    let mediaCheck: @Sendable (MediaFile) -> Bool
    let mediaRemoval: @Sendable (MediaFile) -> Void
    /// Stores keys of protected media; `nil` if none is configured.
    let keySystem: (any PersistableKeySystem)?
    var isSettlingKeys = false
    var listeners: [UUID: AsyncStream<OfflineContent>.Continuation] = [:]
    /// The plays in progress, by license.
    var plays: [ContentLicenseID: RunningMeter] = [:]
    /// The items that are being renewed during playback, or wait for it.
    var renewedBehind: Set<ContentID> = []
    /// The renewal in progress.
    var running: RunningRenewal?
    /// Asks the user before items with `askBeforeRenew` are renewed; `nil` if the app set no question.
    var renewalQuestion: RenewalQuestion?
    /// The question that the user hasn't answered yet.
    var openQuestion: OpenQuestion?
    /// The license versions whose renewal the user declined since the program started.
    var declined: [ContentLicenseID: Int64] = [:]
    /// The listeners that left before their renewal started.
    var departed: Set<UUID> = []
    /// When the last foreground run started.
    var lastLook: ClockReading?
    /// Set if the ledger turned out to be older than what the server received; `nil` otherwise.
    var putBack: Reason?
    /// A new token that isn't on disk yet, and the token that it replaces.
    var nextToken: (HolderToken, after: HolderToken)?
    /// The backoff state for an unreachable server.
    var recovery = NetworkRecovery()
    var nap: Task<Void, Never>?
    var isRecovering = false
    /// Whether a request for a new token is in progress.
    var isAskingForToken = false
    var isHinted = false

    /// Opens a library with explicit dependencies.
    ///
    /// Plays that a crash left open are closed. Closing one charges at most one beat of play time.
    package init(
        owner: LedgerOwner, disk: sending any LedgerDisk, binding: [UInt8], service: ContentService,
        clocks: ContentClocks, mediaCheck: (@Sendable (MediaFile) -> Bool)? = nil,
        mediaRemoval: (@Sendable (MediaFile) -> Void)? = nil, keySystem: (any PersistableKeySystem)? = nil
    ) throws(VaultError) {
        holder = owner.holder
        book = try LedgerBook(disk, owner: owner, binding: binding)
        self.service = service
        self.clocks = clocks
        self.keySystem = keySystem
        self.mediaCheck = mediaCheck ?? MediaFile.isWhole
        reader = LibraryReader(
            shared: book.shared, clock: clocks.device, mediaCheck: mediaCheck ?? MediaFile.isWhole)
        self.mediaRemoval = mediaRemoval ?? { try? FileManager.default.removeItem(atPath: $0.path) }
        service.keys.restore(book.shelf.keys)
        let reading = clocks.device.read()
        let now = TrustedTime(reading, marks: book.shelf.marks).now
        var entries = book.shelf.licenses.values.compactMap { kept -> LedgerEntry? in
            var ledger = kept.ledger
            ledger.recover(under: kept.grant, at: now)
            guard ledger != kept.ledger else { return nil }
            return ledger.entry(of: kept.grant.license, after: kept.ledger, known: kept.known)
        }
        // Storing the clock state here means that later changes to the wall clock have no effect.
        if let mark = book.shelf.marks.map({ Self.mark($0, at: reading) }), mark != book.shelf.marks {
            entries.append(.note(.clock(mark)))
        }
        // If the ledger can't be written now, the next play closes the sessions, because it must write first.
        try? book.append(entries)
    }

    var shelf: Shelf { book.shelf }

    /// The current time, as far as the device can know it.
    func moment() -> ContentMoment { reader.moment() }

    /// The current trusted time (`Documentation/time.md`).
    package var now: Timestamp { moment().now }

    /// All known content items and their current state, ordered by course and title.
    public func contents() -> [OfflineContent] {
        let (moment, shelf) = (moment(), shelf)
        var known = Array(shelf.contents.values)
        for content in shelf.holding.keys where shelf.contents[content] == nil { known.append(ContentFacts(content)) }
        // Sorting tuples avoids moving whole `OfflineContent` values.
        let order = known.indices.map { (known[$0].course ?? "", known[$0].shownTitle, known[$0].content, $0) }
            .sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }
        return order.map { OfflineContent(known[$0.3], on: shelf, at: moment, isMediaWhole: mediaCheck) }
    }

    /// The current state of a content item; `nil` if it is unknown.
    public func content(_ name: String) -> OfflineContent? {
        guard let content = ContentID(name), shelf.contents[content] != nil || shelf[content] != nil else { return nil }
        return self.content(content, at: moment())
    }

    func content(_ content: ContentID, at moment: ContentMoment) -> OfflineContent {
        OfflineContent(
            shelf.contents[content] ?? ContentFacts(content), on: shelf, at: moment, isMediaWhole: mediaCheck)
    }

    /// The content items that change, for whatever reason other than time.
    ///
    /// For changes by time alone, see ``OfflineContent/nextChangeAt``. Each stream has one listener.
    public var changes: AsyncStream<OfflineContent> {
        AsyncStream { stream in
            let id = UUID()
            listeners[id] = stream
            stream.onTermination = { [weak self] _ in
                Task { await self?.forget(id) }
            }
        }
    }

    private func forget(_ listener: UUID) { listeners[listener] = nil }

    /// A problem with the ledger as a whole; `nil` if there isn't one.
    public var problem: Explanation? {
        if let damage = book.damage { return Explanation(Reason(.ledgerDamaged, message: damage.message)) }
        return putBack.map { Explanation($0) }
    }

    /// Signs the holder in with a token that the vendor's own server created for this device (``device(_:)``).
    ///
    /// - Throws: ``ContentError``: `.notStored`.
    public func signIn(token: String, expiresAt: Date? = nil) throws(ContentError) {
        let kept = HolderToken(
            token, expiresAt: expiresAt.map { Moment(Timestamp($0)) }, receivedAt: Moment(moment().now))
        try keep([.note(.token(kept))])
        recovery.goOn()
        wake()
    }

    /// Sets the path and expected size of a content item's media.
    ///
    /// - Throws: ``ContentError``: `.notStored` or `.contentName`.
    public func tell(media: MediaFile) throws(ContentError) {
        guard let content = ContentID(media.content) else {
            throw ContentError(.contentName, "That isn't a valid content name.")
        }
        var facts = shelf.contents[content] ?? ContentFacts(content)
        (facts.media, facts.bytes) = (media.path, media.bytes)
        try keep([.content(facts)])
    }

    func keep(_ entries: [LedgerEntry]) throws(ContentError) {
        do throws(VaultError) {
            try commit(entries)
        } catch {
            throw ContentError(error)
        }
    }

    /// Writes entries as one unit, with the clock state if it is due, and notifies the listeners of ``changes``.
    func commit(_ entries: [LedgerEntry]) throws(VaultError) {
        var entries = entries
        let reading = clocks.device.read()
        let mark = Self.mark(shelf.marks ?? ClockMarks(reading), at: reading)
        let hasClock = entries.contains { if case .note(.clock) = $0 { true } else { false } }
        if !hasClock, mark != shelf.marks { entries.append(.note(.clock(mark))) }
        // A grant needs its signing key after a restart, so the served keys are stored with it.
        if service.keys.believesServed, service.keys.kept != shelf.keys {
            entries.append(.note(.keys(service.keys.kept)))
        }
        // Reads the shelf only if there are listeners. A copy held during a change would force a copy of its tables.
        let gone =
            listeners.isEmpty
            ? []
            : entries.compactMap { entry -> ContentID? in
                if case .gone(let license) = entry { shelf.licenses[license]?.grant.content } else { nil }
            }
        try book.append(entries)
        publish(entries, gone)
    }

    /// How much trusted time passes before the clock state is written again, in seconds.
    private static let markInterval: Int64 = 300

    /// The clock state to write: updated once ``markInterval`` has passed or the system restarted.
    private static func mark(_ old: ClockMarks, at reading: ClockReading) -> ClockMarks {
        var mark = old
        let trusted = mark.judge(reading)
        let isOld =
            mark.time.timestamp.seconds(until: trusted.now) >= markInterval || mark.reading.boot != reading.boot
        if isOld { mark.keep(trusted, at: reading) }
        return mark
    }

    private func publish(_ entries: [LedgerEntry], _ gone: [ContentID]) {
        guard !listeners.isEmpty else { return }
        let changed = entries.compactMap { entry -> ContentID? in
            switch entry {
            case .content(let facts): facts.content
            case .note(.fate(let content, _)): ContentID(content)
            default: entry.license.flatMap { shelf.licenses[$0] }?.grant.content
            }
        }
        let moment = moment()
        for content in Set(changed + gone).sorted() {
            let standing = self.content(content, at: moment)
            for listener in listeners.values { listener.yield(standing) }
        }
    }

    /// A random request id of 128 bits.
    func newRequest() -> String { Base64.encodeURL(SecureRandom.bytes(16)) }
}

/// The clocks and delays of a library, replaceable in tests.
package struct ContentClocks: Sendable {
    package let device: any DeviceClock
    /// Milliseconds from an arbitrary start, not counting system sleep, because nothing plays then.
    package let millis: @Sendable () -> Int64
    /// Waits for a duration.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Waits for at most a duration; usually cancelled earlier.
    package let idle: @Sendable (Duration) async throws -> Void
    /// A random number from 0 to the given maximum.
    package let random: @Sendable (Double) -> Double

    /// Creates clocks that wait and draw random numbers as the system does, unless told otherwise.
    package init(
        device: any DeviceClock, millis: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        idle: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable (Double) -> Double = { .random(in: 0...max(0, $0)) }
    ) {
        self.device = device
        self.millis = millis
        self.sleep = sleep
        self.idle = idle
        self.random = random
    }
}

extension ContentClocks {
    /// Counts milliseconds from now, without the time that the system sleeps.
    package static func awakeMillis() -> @Sendable () -> Int64 {
        let start = SuspendingClock.now
        return { Int64((SuspendingClock.now - start) / .milliseconds(1)) }
    }
}

extension MediaFile {
    /// Whether the file exists and has the expected size, if one is known.
    static let isWhole: @Sendable (MediaFile) -> Bool = { media in
        guard let facts = try? FileManager.default.attributesOfItem(atPath: media.path),
            let size = facts[.size] as? NSNumber
        else { return false }
        return media.bytes.map { $0 == size.int64Value } ?? true
    }
}
