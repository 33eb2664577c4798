public import Foundation
public import TenureClient
package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureVault

/// What a holder keeps on this device: contents with their licenses, what was used of them, and what may be done.
///
/// Make one for each holder who uses the device, and keep it: each has a ledger of its own, and sees no other.
///
/// ```swift
/// let library = try await ContentLibrary.open(configuration, holder: "mia")
/// try await library.signIn(token: token)
/// for content in await library.contents() { print(content.title, content.status) }
/// for await event in library.renew(.due(within: .zero)) { print(event) }
/// ```
public actor ContentLibrary {
    /// Whose contents these are, by the name that the vendor's server knows.
    public nonisolated let holder: String

    let book: LedgerBook
    /// Reads what is kept without waiting for this library.
    nonisolated let reader: LibraryReader
    let service: ContentService
    let clocks: ContentClocks
    let mediaCheck: @Sendable (MediaFile) -> Bool
    let mediaRemoval: @Sendable (MediaFile) -> Void
    /// Keeps keys of protected media; nil where there are none.
    let keySystem: (any PersistableKeySystem)?
    var isSettlingKeys = false
    var listeners: [UUID: AsyncStream<OfflineContent>.Continuation] = [:]
    /// What is played now.
    var plays: [ContentLicenseID: RunningMeter] = [:]
    /// What is renewed behind a play, or waits for that.
    var renewedBehind: Set<ContentID> = []
    /// The renewal that runs now.
    var running: RunningRenewal?
    /// Asks the person before contents are renewed that want it; nil where nobody asks.
    var renewalQuestion: RenewalQuestion?
    /// The question that the person has not answered yet.
    var openQuestion: OpenQuestion?
    /// The versions that the person did not want renewed, since the program started.
    var declined: [ContentLicenseID: Int64] = [:]
    /// Who stopped listening to a renewal before it began.
    var departed: Set<UUID> = []
    /// When a renewal ran by itself last.
    var lastLook: ClockReading?
    /// That the ledger was found to be an earlier one; nil when it was not.
    var putBack: Reason?
    /// The holder's next token, until it is on disk, and the one that it was given for.
    var nextToken: (HolderToken, after: HolderToken)?
    /// How the network is waited for.
    var recovery = NetworkRecovery()
    var nap: Task<Void, Never>?
    var isRecovering = false
    /// Whether the token's successor is being asked for.
    var isAskingForToken = false
    var isHinted = false

    /// Puts a library together from its parts. What a fall left open is closed, and costs a beat at most.
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
        // From here on, what is done to the wall clock moves nothing.
        if let mark = book.shelf.marks.map({ Self.mark($0, at: reading) }), mark != book.shelf.marks {
            entries.append(.note(.clock(mark)))
        }
        // A ledger that cannot be written now is closed with the next play, which needs it written.
        try? book.append(entries)
    }

    var shelf: Shelf { book.shelf }

    /// The moment, as far as the device can know it.
    func moment() -> ContentMoment { reader.moment() }

    /// What time it is, as far as the device can know it (`Documentation/time.md`).
    package var now: Timestamp { moment().now }

    /// All contents that are kept or may be, by course and title, as they stand now.
    public func contents() -> [OfflineContent] {
        let (moment, shelf) = (moment(), shelf)
        var known = Array(shelf.contents.values)
        for content in shelf.holding.keys where shelf.contents[content] == nil { known.append(ContentFacts(content)) }
        // What is moved about in sorting is not what is made of it.
        let order = known.indices.map { (known[$0].course ?? "", known[$0].shownTitle, known[$0].content, $0) }
            .sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }
        return order.map { OfflineContent(known[$0.3], on: shelf, at: moment, isMediaWhole: mediaCheck) }
    }

    /// One content as it stands now; nil when nothing is known of it.
    public func content(_ name: String) -> OfflineContent? {
        guard let content = ContentID(name), shelf.contents[content] != nil || shelf[content] != nil else { return nil }
        return self.content(content, at: moment())
    }

    func content(_ content: ContentID, at moment: ContentMoment) -> OfflineContent {
        OfflineContent(
            shelf.contents[content] ?? ContentFacts(content), on: shelf, at: moment, isMediaWhole: mediaCheck)
    }

    /// Contents as they change, by whatever does it; time alone does at ``OfflineContent/nextChangeAt``. For one listener.
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

    /// What is wrong with the ledger as a whole; nil when nothing is.
    public var problem: Explanation? {
        if let damage = book.damage { return Explanation(Reason(.ledgerDamaged, message: damage.message)) }
        return putBack.map { Explanation($0) }
    }

    /// Signs the holder in with a token that the vendor's own server made for this device (``device(_:)``).
    ///
    /// Throws ``ContentError``: `.notStored`.
    public func signIn(token: String, expiresAt: Date? = nil) throws(ContentError) {
        let kept = HolderToken(
            token, expiresAt: expiresAt.map { Moment(Timestamp($0)) }, receivedAt: Moment(moment().now))
        try keep([.note(.token(kept))])
        recovery.goOn()
        wake()
    }

    /// Tells where the media of a content lie, and how long they are when they are whole.
    ///
    /// Throws ``ContentError``: `.notStored`, `.contentName`.
    public func tell(media: MediaFile) throws(ContentError) {
        guard let content = ContentID(media.content) else {
            throw ContentError(.contentName, "No content can be called that.")
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

    /// Writes down what belongs together, with the time when that is due; tells who listens.
    func commit(_ entries: [LedgerEntry]) throws(VaultError) {
        var entries = entries
        let reading = clocks.device.read()
        let mark = Self.mark(shelf.marks ?? ClockMarks(reading), at: reading)
        let hasClock = entries.contains { if case .note(.clock) = $0 { true } else { false } }
        if !hasClock, mark != shelf.marks { entries.append(.note(.clock(mark))) }
        // What a grant is proven with is kept with it, or it proves nothing after the next start.
        if service.keys.believesServed, service.keys.kept != shelf.keys {
            entries.append(.note(.keys(service.keys.kept)))
        }
        // Whoever keeps the shelf while it changes has it copied.
        let gone =
            listeners.isEmpty
            ? []
            : entries.compactMap { entry -> ContentID? in
                if case .gone(let license) = entry { shelf.licenses[license]?.grant.content } else { nil }
            }
        try book.append(entries)
        publish(entries, gone)
    }

    /// How much trusted time passes before the mark is written down anew, in seconds.
    private static let markInterval: Int64 = 300

    /// The mark as it is to be written: anew once that time has passed, or the system was restarted.
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

    /// A name for a request: 128 random bits.
    func newRequest() -> String { Base64.encodeURL(SecureRandom.bytes(16)) }
}

/// The clocks of a library, and how it waits; all that a test holds in its hands.
package struct ContentClocks: Sendable {
    /// The device's clocks.
    package let device: any DeviceClock
    /// Milliseconds that the system was awake, from any beginning: nothing is played while it sleeps.
    package let millis: @Sendable () -> Int64
    /// Waits.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Waits for what may never come: until a person has waited long enough, or something is wanted.
    package let idle: @Sendable (Duration) async throws -> Void
    /// A random number of seconds from 0 up to one.
    package let random: @Sendable (Double) -> Double

    /// Puts clocks together.
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
    /// The system's own milliseconds, from now on, in which it does not sleep.
    package static func awakeMillis() -> @Sendable () -> Int64 {
        let start = SuspendingClock.now
        return { Int64((SuspendingClock.now - start) / .milliseconds(1)) }
    }
}

extension MediaFile {
    /// Whether there is a file, as long as it should be.
    static let isWhole: @Sendable (MediaFile) -> Bool = { media in
        guard let facts = try? FileManager.default.attributesOfItem(atPath: media.path),
            let size = facts[.size] as? NSNumber
        else { return false }
        return media.bytes.map { $0 == size.int64Value } ?? true
    }
}
