import Foundation
package import TenureClient
package import TenureCore

/// Where the bytes stand that prove a grant.
package struct LedgerPlace: Sendable, Hashable {
    let offset: Int
    let length: Int
    let number: UInt64
}

/// A license as a device keeps it.
package struct KeptLicense: Sendable, Hashable {
    /// The newest verified version of its limits.
    package var grant: ContentGrant
    /// Where the bytes stand that prove it.
    var proof: LedgerPlace?
    /// What was used of it.
    package var ledger: ContentLedger
    /// The highest change of the ledger that the server knows.
    package var known: Int64

    /// The sessions that the server does not know as they are now.
    func unreported(at now: Timestamp) -> [SessionReport] {
        ledger.sessions.filter { $0.sequence > known }.compactMap { SessionReport($0, of: grant, at: now) }
    }
}

/// All that is kept for a holder on a device: what the ledger's entries come to, one after the other.
package struct Shelf: Sendable, Hashable {
    /// Whose it is.
    package let owner: LedgerOwner
    /// The licenses.
    package private(set) var licenses = KeptLicenses()
    /// Which license each content has.
    package private(set) var holding: [ContentID: ContentLicenseID] = [:]
    /// What is known of contents.
    package private(set) var contents: [ContentID: ContentFacts] = [:]
    /// What the holder signs in with.
    package private(set) var token: HolderToken?
    /// What is known about time.
    package private(set) var marks: ClockMarks?
    /// Keys that the server showed.
    package private(set) var keys: [String: String] = [:]
    /// The renewal that is under way.
    package private(set) var job: RenewalJob?
    /// The last answers that were no yes, by content.
    package private(set) var fates: [String: KeptFate] = [:]
    /// Licenses that are to be given back.
    package private(set) var owed: [String] = []
    /// Keys of media, by content.
    package private(set) var keptKeys: [ContentID: KeptKey] = [:]
    /// How many bytes of the ledger those take, about.
    private(set) var keyBytes = 0
    /// What a person wanted to play when nobody could be asked.
    package private(set) var wish: String?
    /// Renewals that ran by themselves, the latest last.
    package private(set) var runs: [RenewalRun] = []

    /// An empty one.
    package init(_ owner: LedgerOwner) { self.owner = owner }

    /// The license of a content.
    package subscript(content: ContentID) -> KeptLicense? { holding[content].flatMap { licenses[$0] } }

    /// Whether a license is given back as soon as the server answers.
    func isOwed(_ license: ContentLicenseID) -> Bool { !owed.isEmpty && owed.contains(license.description) }

    /// Makes room for so many licenses and their contents.
    mutating func reserve(_ count: Int) {
        licenses.reserve(count)
        holding.reserveCapacity(count)
        contents.reserveCapacity(count)
    }

    mutating func apply(_ entry: LedgerEntry, at place: LedgerPlace?) {
        switch entry {
        case .grant(let grant, _):
            licenses.change(
                grant.license, orNew: KeptLicense(grant: grant, ledger: ContentLedger(grant), known: 0)
            ) { kept in
                kept.grant = grant
                kept.proof = place
            }
            holding[grant.content] = grant.license
        case .use(let license, let ledger, let known):
            licenses.change(license) { kept in
                kept.ledger = ledger
                kept.known = known
            }
        case .beat(let license, let ledger):
            licenses.change(license) { $0.ledger = ledger.with(before: $0.ledger.sessions) }
        case .gone(let license):
            guard let gone = licenses.remove(license) else { return }
            if holding[gone.grant.content] == license { holding[gone.grant.content] = nil }
        case .content(let facts): contents[facts.content] = facts
        case .note(let note): apply(note)
        }
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
        case .wish(let content): wish = content
        case .runs(let runs): self.runs = runs
        case .key(let name, let key):
            guard let content = ContentID(name) else { return }
            keyBytes += (key?.bytes ?? 0) - (keptKeys[content]?.bytes ?? 0)
            keptKeys[content] = key
        }
    }

    /// What a ledger that begins anew holds beside the grants, which stand with their proofs.
    var notes: [LedgerEntry] {
        var notes: [LedgerNote] = []
        if let token { notes.append(.token(token)) }
        if let marks { notes.append(.clock(marks)) }
        if !keys.isEmpty { notes.append(.keys(keys)) }
        if let job { notes.append(.job(job)) }
        notes += fates.sorted { $0.key < $1.key }.map { .fate($0.key, $0.value) }
        if !owed.isEmpty { notes.append(.owed(owed)) }
        notes += keptKeys.sorted { $0.key < $1.key }.map { .key($0.key.text, $0.value) }
        if let wish { notes.append(.wish(wish)) }
        if !runs.isEmpty { notes.append(.runs(runs)) }
        return contents.values.sorted { $0.content < $1.content }.map { .content($0) } + notes.map { .note($0) }
    }
}

/// What a ledger comes to, for its one writer and for readers on any thread.
///
/// The shelf is read inside a closure, so that no second copy of it is alive while it changes: that would make each
/// change copy its tables.
package final class SharedShelf: @unchecked Sendable {
    // Sendable by `lock`, which guards `shelf`.
    private let lock = NSLock()
    private var shelf: Shelf

    init(_ shelf: Shelf) { self.shelf = shelf }

    /// Reads what is kept. Take out what is needed and do the work outside: changes wait meanwhile.
    func read<Value>(_ body: (Shelf) -> Value) -> Value { lock.withLock { body(shelf) } }

    /// Changes what is kept.
    func change(_ body: (inout Shelf) -> Void) { lock.withLock { body(&shelf) } }
}

extension ContentLedger {
    /// The entry that turns an earlier ledger into this one: the last session alone, where the others are as they were.
    func entry(of license: ContentLicenseID, after earlier: ContentLedger, known: Int64) -> LedgerEntry {
        let before = earlier.sessions
        let others = sessions.dropLast()
        let isBeat =
            !sessions.isEmpty
            && (others.elementsEqual(before)
                || others.elementsEqual(before.dropLast()) && before.last?.id == sessions.last?.id)
        return isBeat ? .beat(license, self) : .use(license, self, known: known)
    }

    /// A ledger read with its last session alone, put to those that were there before.
    fileprivate func with(before: [PlaySession]) -> ContentLedger {
        guard let last = sessions.last else { return self }
        let others = before.last?.id == last.id ? Array(before.dropLast()) : before
        return LedgerHead(
            version: version, countsFrom: countsFrom, sequence: sequence, firstPlayAt: firstPlayAt, carried: carried,
            stop: stop
        ).ledger(others + [last])
    }
}
