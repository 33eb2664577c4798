package import TenureCore

/// One change of what a device keeps for a holder. A frame of the ledger holds those that belong together.
package enum LedgerEntry: Sendable, Hashable {
    /// A version of a license's limits was verified; the bytes that prove it stand with it, and stay in the file.
    // In a place of its own, for it is far larger than the others, which come more often.
    indirect case grant(ContentGrant, proof: [UInt8])
    /// A license's use, whole, and up to which change of it the server knows.
    case use(ContentLicenseID, ContentLedger, known: Int64)
    /// The same after the last session changed, or one was added: a beat.
    case beat(ContentLicenseID, ContentLedger)
    /// The license is no longer kept here.
    case gone(ContentLicenseID)
    /// What is known of a content beside its license.
    case content(ContentFacts)
    /// All the rest, each replaced as a whole.
    case note(LedgerNote)
}

/// What is known of a content beside its license.
package struct ContentFacts: Sendable, Hashable {
    /// Which content.
    package var content: ContentID
    /// Its name for people.
    package var title: String
    /// The course that it came with.
    package var course: String?
    /// Where the app keeps its media; nil when it did not say.
    package var media: String?
    /// How many bytes the media have; nil when the app did not say.
    package var bytes: Int64?
    /// When it was played last.
    package var playedAt: Timestamp?

    /// Names a content; the rest is set afterwards.
    package init(_ content: ContentID, title: String = "", course: String? = nil) {
        self.content = content
        self.title = title
        self.course = course
    }
}

extension LedgerEntry {
    private enum Kind: UInt8, CaseIterable { case grant, use, beat, gone, content, note }

    /// Whose license it is about; nil for what is about none.
    var license: ContentLicenseID? {
        switch self {
        case .grant(let grant, _): grant.license
        case .use(let license, _, _), .beat(let license, _), .gone(let license): license
        case .content, .note: nil
        }
    }

    func write(into writer: inout LedgerWriter) {
        switch self {
        case .grant(let grant, let proof):
            writer.byte(Kind.grant.rawValue)
            writer.grant(grant)
            writer.blob(proof)
        case .use(let license, let ledger, let known):
            writer.byte(Kind.use.rawValue)
            writer.number(license.number)
            writer.number(known)
            writer.head(ledger)
            writer.number(Int64(ledger.sessions.count))
            for session in ledger.sessions { writer.session(session) }
        case .beat(let license, let ledger):
            writer.byte(Kind.beat.rawValue)
            writer.number(license.number)
            writer.head(ledger)
            writer.optional(ledger.sessions.last) { $0.session($1) }
        case .gone(let license):
            writer.byte(Kind.gone.rawValue)
            writer.number(license.number)
        case .content(let facts):
            writer.byte(Kind.content.rawValue)
            writer.text(facts.content.text)
            writer.text(facts.title)
            writer.optional(facts.course) { $0.text($1) }
            writer.optional(facts.media) { $0.text($1) }
            writer.optional(facts.bytes)
            writer.optional(facts.playedAt)
        case .note(let note):
            writer.byte(Kind.note.rawValue)
            writer.blob(note.json)
        }
    }

    /// Reads an entry of a holder's ledger on a device. A beat is read with its last session alone, which the shelf puts
    /// to the others.
    init(_ reader: inout LedgerReader, of owner: LedgerOwner, withProofs: Bool) throws(LedgerFault) {
        switch try reader.choice(Kind.self) {
        case .grant:
            let grant = try reader.grant(of: owner)
            let proof = try reader.slice()
            self = .grant(grant, proof: withProofs ? Array(proof) : [])
        case .use:
            let license = try reader.license()
            let known = try reader.number()
            let head = try reader.head()
            let count = try reader.number(in: 0...1_000_000)
            var sessions: [PlaySession] = []
            for _ in 0..<count { sessions.append(try reader.session()) }
            self = .use(license, head.ledger(sessions), known: known)
        case .beat:
            let license = try reader.license()
            let head = try reader.head()
            let session = try reader.optional { reader throws(LedgerFault) in try reader.session() }
            self = .beat(license, head.ledger(session.map { [$0] } ?? []))
        case .gone: self = .gone(try reader.license())
        case .content:
            guard let content = ContentID(try reader.text()) else { throw LedgerFault() }
            var facts = ContentFacts(content, title: try reader.text())
            facts.course = try reader.optional { reader throws(LedgerFault) in try reader.text() }
            facts.media = try reader.optional { reader throws(LedgerFault) in try reader.text() }
            facts.bytes = try reader.optionalNumber()
            facts.playedAt = try reader.optionalMoment()
            self = .content(facts)
        case .note: self = .note(try LedgerNote(json: Array(try reader.slice())))
        }
    }

    /// Reads the entries of a frame. Throws ``LedgerFault``, and gives none of them, if one does not read.
    /// - Parameter withProofs: Whether grants come with their proofs; else these are left where they stand.
    package static func read(
        _ bytes: [UInt8], of owner: LedgerOwner, withProofs: Bool = true
    ) throws(LedgerFault) -> [LedgerEntry] {
        var reader = LedgerReader(bytes)
        var entries: [LedgerEntry] = []
        while !reader.isAtEnd { entries.append(try LedgerEntry(&reader, of: owner, withProofs: withProofs)) }
        return entries
    }

    /// Writes the entries of a frame.
    package static func bytes(of entries: [LedgerEntry]) -> [UInt8] {
        var writer = LedgerWriter()
        for entry in entries { entry.write(into: &writer) }
        return writer.bytes
    }
}
