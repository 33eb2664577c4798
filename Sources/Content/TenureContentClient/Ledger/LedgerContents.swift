package import TenureClient
package import TenureContent
package import TenureCore
import TenureThreads

/// The location of the frame that contains the proof of a grant.
package struct LedgerLocation: Sendable, Hashable {
    let offset: Int
    let length: Int
    let number: UInt64
}

/// A license as it is stored on the device, with its use and the location of its proof.
package struct KeptLicense: Sendable, Hashable {
    /// The newest verified version of the license.
    package var grant: ContentGrant
    /// The location of the frame that contains the signed bytes of ``grant``.
    var proof: LedgerLocation?
    /// The use of the license on this device.
    package var ledger: ContentLedger
    /// The highest sequence number of the ledger that the server has received.
    package var acknowledged: Int64

    /// Reports of the sessions that changed since the server last received them.
    func unreported(at now: Timestamp) -> [SessionReport] {
        ledger.sessions.filter { $0.sequence > acknowledged }.compactMap { SessionReport($0, of: grant, at: now) }
    }
}

/// A holder's state on a device: the result of applying all ledger entries in the order in which they were written.
package struct LedgerContents: Sendable, Hashable {
    package let owner: LedgerOwner
    package private(set) var licenses = KeptLicenses()
    /// The license that the device currently holds for each content item.
    package private(set) var holding: [ContentID: ContentLicenseID] = [:]
    /// The title, course and media of each content item.
    package private(set) var contents: [ContentID: ContentFacts] = [:]
    /// The holder's bearer token; `nil` if the holder isn't signed in.
    package private(set) var token: HolderToken?
    /// The clock state from which trusted time is computed; `nil` until it is first stored.
    package private(set) var marks: ClockMarks?
    /// Signing keys that the server published, by `kid`, in base64.
    package private(set) var keys: [String: String] = [:]
    /// The renewal in progress or interrupted; `nil` if there isn't one.
    package private(set) var job: RenewalJob?
    /// The most recent failure or refusal of each content item, until a later request for it succeeds.
    package private(set) var fates: [String: KeptFate] = [:]
    /// The ids of licenses to return once the server responds.
    package private(set) var owed: [String] = []
    /// The keys of protected media, by content item.
    package private(set) var keptKeys: [ContentID: KeptKey] = [:]
    /// The approximate size of ``keptKeys`` in the ledger, in bytes.
    private(set) var keyBytes = 0
    /// The content item that the user wanted to play while the server was unreachable; `nil` if there isn't one.
    package private(set) var requestedContent: String?
    /// The automatic renewal runs, latest last.
    package private(set) var runs: [RenewalRun] = []

    /// Creates the state of a ledger without entries.
    package init(_ owner: LedgerOwner) { self.owner = owner }

    /// The license that the device holds for a content item; `nil` if there isn't one.
    package subscript(content: ContentID) -> KeptLicense? { holding[content].flatMap { licenses[$0] } }

    /// Whether a license is waiting to be returned to the server.
    func isOwed(_ license: ContentLicenseID) -> Bool { !owed.isEmpty && owed.contains(license.description) }

    /// The entries that correct the times which the device wrote while its clock was ahead.
    func corrections(by check: TimeCheck) -> [LedgerEntry] {
        var entries = licenses.values.compactMap { stored -> LedgerEntry? in
            var ledger = stored.ledger
            ledger.correct(by: check)
            return ledger == stored.ledger ? nil : .use(stored.grant.license, ledger, acknowledged: stored.acknowledged)
        }
        if let token, case let corrected = token.corrected(by: check), corrected != token {
            entries.append(.note(.token(corrected)))
        }
        return entries
    }

    /// Reserves capacity for a number of licenses and their content items.
    mutating func reserve(_ count: Int) {
        licenses.reserve(count)
        holding.reserveCapacity(count)
        contents.reserveCapacity(count)
    }

    mutating func apply(_ entry: LedgerEntry, at location: LedgerLocation?) {
        switch entry {
        case .grant(let grant, _):
            let former = licenses[grant.license]?.grant.content
            licenses.change(
                grant.license, orNew: KeptLicense(grant: grant, ledger: ContentLedger(grant), acknowledged: 0)
            ) { stored in
                stored.grant = grant
                stored.proof = location
            }
            if let former, former != grant.content { release(former, from: grant.license) }
            holding[grant.content] = grant.license
        case .use(let license, let ledger, let acknowledged):
            licenses.change(license) { stored in
                stored.ledger = ledger
                stored.acknowledged = acknowledged
            }
        case .beat(let license, let ledger):
            licenses.change(license) { $0.ledger = ledger.with(before: $0.ledger.sessions) }
        case .gone(let license):
            guard let gone = licenses.remove(license) else { return }
            release(gone.grant.content, from: license)
        case .content(let facts): contents[facts.content] = facts
        case .note(let note): apply(note)
        }
    }

    /// If this license is the one that the device holds for the content item, the item's stored license with the
    /// highest id takes its place, if there is one.
    private mutating func release(_ content: ContentID, from license: ContentLicenseID) {
        guard holding[content] == license else { return }
        holding[content] = nil
        // Usually each content item has one license, and there is nothing to search for.
        guard licenses.count > holding.count else { return }
        holding[content] = licenses.values.filter { $0.grant.content == content }.map(\.grant.license).max()
    }

    private mutating func apply(_ note: LedgerNote) {
        switch note {
        case .token(let token): self.token = token
        case .clock(let marks): self.marks = marks
        case .keys(let keys): self.keys = keys
        case .job(let job): self.job = job
        case .told(let results): job?.results += results
        case .fate(let content, let fate): fates[content] = fate
        case .owed(let licenses): owed = licenses
        case .requestedContent(let content): requestedContent = content
        case .runs(let runs): self.runs = runs
        case .key(let name, let key):
            guard let content = ContentID(name) else { return }
            keyBytes += (key?.bytes ?? 0) - (keptKeys[content]?.bytes ?? 0)
            keptKeys[content] = key
        }
    }

    /// The entries that a compacted ledger needs in addition to the grants and their use.
    var notes: [LedgerEntry] {
        var notes: [LedgerNote] = []
        if let token { notes.append(.token(token)) }
        if let marks { notes.append(.clock(marks)) }
        if !keys.isEmpty { notes.append(.keys(keys)) }
        if let job { notes.append(.job(job)) }
        notes += fates.sorted { $0.key < $1.key }.map { .fate($0.key, $0.value) }
        if !owed.isEmpty { notes.append(.owed(owed)) }
        notes += keptKeys.sorted { $0.key < $1.key }.map { .key($0.key.text, $0.value) }
        if let requestedContent { notes.append(.requestedContent(requestedContent)) }
        if !runs.isEmpty { notes.append(.runs(runs)) }
        return contents.values.sorted { $0.content < $1.content }.map { .content($0) } + notes.map { .note($0) }
    }
}

/// The state of a ledger, shared by its one writer and readers on any thread.
///
/// Reads run inside a closure. A second live copy of the ``LedgerContents`` would force each change to copy its tables.
package final class SharedLedger: Sendable {
    private let ledgerContents: Monitor<LedgerContents>

    init(_ ledgerContents: LedgerContents) { self.ledgerContents = Monitor(ledgerContents) }

    /// Reads the state under the lock.
    ///
    /// Copy the values you need and do the work outside, because changes wait.
    func read<Value>(_ body: (LedgerContents) -> Value) -> Value { ledgerContents.withLock { body($0) } }

    /// Changes the state under the lock; only the ledger's writer calls it.
    func change(_ body: (inout LedgerContents) -> Void) { ledgerContents.withLock(body) }
}

extension ContentLedger {
    /// The entry that records the change from an earlier ledger to this one.
    ///
    /// If only the last session changed or was added, the entry is a `beat`, which stores no other session.
    func entry(of license: ContentLicenseID, after earlier: ContentLedger, acknowledged: Int64) -> LedgerEntry {
        let before = earlier.sessions
        let others = sessions.dropLast()
        let isBeat =
            !sessions.isEmpty
            && (others.elementsEqual(before)
                || others.elementsEqual(before.dropLast()) && before.last?.id == sessions.last?.id)
        return isBeat ? .beat(license, self) : .use(license, self, acknowledged: acknowledged)
    }

    /// Merges a ledger that contains only its last session with the earlier sessions.
    fileprivate func with(before: [PlaySession]) -> ContentLedger {
        guard let last = sessions.last else { return self }
        let others = before.last?.id == last.id ? Array(before.dropLast()) : before
        return LedgerHead(
            version: version, countsFrom: countsFrom, sequence: sequence, firstPlay: firstPlay, carried: carried,
            stop: stop
        ).ledger(others + [last])
    }
}
