package import TenureContent
package import TenureCore

/// One change to a holder's stored state.
///
/// Entries of one frame are applied together.
package enum LedgerEntry: Sendable, Hashable {
    /// A verified version of a license, with the signed bytes that prove it.
    ///
    /// The bytes stay in the file.
    // Indirect because this case is far larger than the others, and the others are more frequent.
    indirect case grant(ContentGrant, proof: [UInt8])
    /// A license's complete use, and the highest sequence number that the server has received.
    case use(ContentLicenseID, ContentLedger, acknowledged: Int64)
    /// A license's use, written during a play: only its last session has changed or was added.
    case beat(ContentLicenseID, ContentLedger)
    /// The license is no longer stored on this device.
    case gone(ContentLicenseID)
    /// The title, course and media of a content item.
    case content(ContentFacts)
    /// Any other state; each note replaces the previous one of its kind.
    case note(LedgerNote)
}

/// What the device stores about a content item apart from its license.
package struct ContentFacts: Sendable, Hashable {
    package var content: ContentID
    /// The display title; empty if it is unknown.
    package var title: String
    /// The course to which the item belongs; `nil` if it belongs to none.
    package var course: String?
    /// The path of the media file; `nil` if the app didn't set it.
    package var media: String?
    /// The full size of the media in bytes; `nil` if the app didn't set it.
    package var bytes: Int64?
    /// When the item was last played; `nil` if it never was.
    package var playedAt: Timestamp?

    /// Creates facts without media, as the server's list gives them.
    package init(_ content: ContentID, title: String = "", course: String? = nil) {
        self.content = content
        self.title = title
        self.course = course
    }
}

extension LedgerEntry {
    /// The first byte of a stored entry; never change a number.
    private enum Kind: UInt8 {
        case grant = 0
        case use = 1
        case beat = 2
        case gone = 3
        case content = 4
        case note = 5
    }

    /// The license that the entry concerns; `nil` if it concerns none.
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
        case .use(let license, let ledger, let acknowledged):
            writer.byte(Kind.use.rawValue)
            writer.number(license.number)
            writer.number(acknowledged)
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

    /// Reads an entry.
    ///
    /// A beat contains only the last session; ``LedgerContents`` merges it with the earlier ones.
    init(_ reader: inout LedgerReader, of owner: LedgerOwner, withProofs: Bool) throws(LedgerFault) {
        guard let kind = Kind(rawValue: try reader.byte()) else { throw LedgerFault() }
        switch kind {
        case .grant:
            let grant = try reader.grant(of: owner)
            let proof = try reader.slice()
            self = .grant(grant, proof: withProofs ? Array(proof) : [])
        case .use:
            let license = try reader.license()
            let acknowledged = try reader.number()
            let head = try reader.head()
            let count = try reader.number(in: 0...1_000_000)
            var sessions: [PlaySession] = []
            for _ in 0..<count { sessions.append(try reader.session()) }
            self = .use(license, head.ledger(sessions), acknowledged: acknowledged)
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

    /// Reads the entries of a frame.
    ///
    /// - Parameter withProofs: Whether to copy the signed bytes of grants; otherwise the proofs are empty.
    /// - Throws: ``LedgerFault`` if any entry can't be decoded.
    package static func read(
        _ bytes: [UInt8], of owner: LedgerOwner, withProofs: Bool = true
    ) throws(LedgerFault) -> [LedgerEntry] {
        var reader = LedgerReader(bytes)
        var entries: [LedgerEntry] = []
        while !reader.isAtEnd { entries.append(try LedgerEntry(&reader, of: owner, withProofs: withProofs)) }
        return entries
    }

    /// Encodes entries as the contents of one frame.
    package static func bytes(of entries: [LedgerEntry]) -> [UInt8] {
        var writer = LedgerWriter()
        for entry in entries { entry.write(into: &writer) }
        return writer.bytes
    }
}
