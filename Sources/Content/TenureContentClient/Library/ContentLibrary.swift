public import TenureClient
import TenureContent
package import TenureCore
public import TenureFoundation
package import TenureVault

/// A holder's content on this device: the licenses, their use, and the actions that are possible.
///
/// Create one library for each holder who uses the device, and keep a reference to it. Each library has a separate
/// ledger.
///
/// ```swift
/// let library = try await ContentLibrary.open(configuration, holder: "mia")
/// try await library.signIn(token: token)
/// for content in await library.contents() { print(content.title, content.status) }
/// for await event in library.renew(.due(within: .zero)) { print(event) }
/// ```
public actor ContentLibrary {
    /// The name of the holder on the vendor's server, as given when the library was opened.
    public nonisolated let holder: String

    /// Reads the stored state without waiting for this actor.
    nonisolated let reader: LibraryReader
    let store: LicenseStore
    let service: ContentService
    let clocks: ContentClocks
    let plays: PlayRecorder
    let server: ServerSync
    let consent: ConsentPrompt
    let keys: MediaKeyUpdater
    let renewer: LicenseRenewer
    let renewals: RenewalRunner
    let automatic: AutomaticRenewals
    /// The items whose renewal during playback is running or waiting to run.
    var renewedBehind: Set<ContentID> = []

    /// Opens a library with explicit dependencies, for the app's own `open` and for tests.
    ///
    /// - Throws: ``VaultError`` if the ledger can't be opened.
    package init(
        owner: LedgerOwner, disk: sending any LedgerDisk, binding: [UInt8], service: ContentService,
        clocks: ContentClocks, mediaCheck: (@Sendable (MediaFile) -> Bool)? = nil,
        mediaRemoval: (@Sendable (MediaFile) -> Void)? = nil, keySystem: (any PersistableKeySystem)? = nil
    ) throws(VaultError) {
        holder = owner.holder
        self.service = service
        self.clocks = clocks
        store = LicenseStore(
            try DurableLedger(disk, owner: owner, binding: binding), keys: service.keys, clock: clocks.device,
            mediaCheck: mediaCheck ?? MediaFile.isWhole)
        reader = store.reader
        let network = NetworkRecovery(idle: clocks.idle)
        plays = PlayRecorder(store, network, millis: clocks.millis)
        server = ServerSync(
            store, service, network, plays,
            mediaRemoval: mediaRemoval ?? { try? FileManager.default.removeItem(atPath: $0.path) })
        consent = ConsentPrompt(store)
        keys = MediaKeyUpdater(store, keySystem)
        renewer = LicenseRenewer(server: server, clocks: clocks)
        renewals = RenewalRunner(renewer, consent, keys)
        automatic = AutomaticRenewals(server, renewals, consent, clocks: clocks)
    }

    var ledgerContents: LedgerContents { store.ledgerContents }

    /// The current trusted time (`Documentation/time.md`).
    package var now: Timestamp { store.now }

    /// All stored content items and their current state, ordered by course and title.
    public func contents() -> [OfflineContent] {
        let (instant, ledgerContents) = (store.instant(), ledgerContents)
        var contents = Array(ledgerContents.contents.values)
        for content in ledgerContents.holding.keys where ledgerContents.contents[content] == nil {
            contents.append(ContentFacts(content))
        }
        // Sorting tuples avoids moving whole `OfflineContent` values.
        let order = contents.indices.map {
            (contents[$0].course ?? "", contents[$0].shownTitle, contents[$0].content, $0)
        }
        .sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }
        return order.map {
            OfflineContent(contents[$0.3], on: ledgerContents, at: instant, isMediaWhole: reader.mediaCheck)
        }
    }

    /// The current state of a content item; `nil` if it is unknown.
    public func content(_ name: String) -> OfflineContent? {
        guard let content = ContentID(name), ledgerContents.contents[content] != nil || ledgerContents[content] != nil
        else { return nil }
        return reader.content(content, at: store.instant())
    }

    /// A stream of the content items whose state changes, except by time alone.
    ///
    /// For changes by time, see ``OfflineContent/nextChangeAt``. Each read creates a new stream for one listener.
    public var changes: AsyncStream<OfflineContent> { store.changes() }

    /// A problem with the ledger as a whole, such as damage; `nil` if there isn't one.
    public var problem: Explanation? {
        if let damage = store.durableLedger.damage {
            return Explanation(Reason(.ledgerDamaged, message: damage.message))
        }
        return store.putBack.map { Explanation($0) }
    }

    /// Signs the holder in with a token from the vendor's own server.
    ///
    /// The vendor's server must create the token for this holder and the device id from ``device(_:)``.
    ///
    /// - Parameters:
    ///   - token: The bearer token.
    ///   - expiresAt: When the token expires; `nil` if the app doesn't know.
    /// - Throws: ``ContentError``: `.notStored`.
    public func signIn(token: String, expiresAt: Date? = nil) throws(ContentError) {
        let stored = HolderToken(
            token, expiresAt: expiresAt.map { Moment(Timestamp($0)) }, received: store.present)
        try keep([.note(.token(stored))], isTimed: true)
        server.network.goOn()
        server.network.wake()
    }

    /// Records where a content item's media file is, so that the library can check and delete it.
    ///
    /// - Throws: ``ContentError``: `.notStored` or `.contentName`.
    public func tell(media: MediaFile) throws(ContentError) {
        guard let content = ContentID(media.content) else {
            throw ContentError(.contentName, "That isn't a valid content name.")
        }
        var facts = ledgerContents.contents[content] ?? ContentFacts(content)
        (facts.media, facts.bytes) = (media.path, media.bytes)
        try keep([.content(facts)])
    }

    func keep(_ entries: [LedgerEntry], isTimed: Bool = false) throws(ContentError) {
        do throws(VaultError) {
            try store.commit(entries, isTimed: isTimed)
        } catch {
            throw ContentError(error)
        }
    }
}
