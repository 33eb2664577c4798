import TenureContent
import TenureCore

/// Encodes grants and use.
///
/// The tenant and device are the same for the whole file and aren't written.
extension LedgerWriter {
    mutating func grant(_ grant: ContentGrant) {
        number(grant.license.number)
        number(grant.enrolment.number)
        text(grant.content.text)
        text(grant.request)
        number(grant.version)
        number(grant.issuedAt.seconds)
        number(grant.settled)
        var terms = grant.terms
        terms.code(with: &self)
    }

    mutating func head(_ ledger: ContentLedger) {
        number(ledger.version)
        number(ledger.countsFrom)
        number(ledger.sequence)
        optional(ledger.firstPlay) {
            $0.number($1.time.seconds)
            $0.optional($1.original)
            $0.optional($1.ran)
        }
        number(Int64(ledger.carried.plays))
        number(ledger.carried.playSeconds)
        optional(ledger.stop) { $0.choice($1) }
    }

    mutating func session(_ session: PlaySession) {
        number(Int64(bitPattern: session.id.high))
        number(Int64(bitPattern: session.id.low))
        number(session.version)
        flag(session.isPaid)
        optional(session.startedAt)
        flag(session.isCounted)
        number(session.renderedMillis)
        number(session.chargedMillis)
        switch session.state {
        case .playing: byte(0)
        case .paused: byte(1)
        case .resting(let since):
            byte(2)
            number(since.seconds)
        }
        number(session.lastBeatAt.seconds)
        number(session.sequence)
        number(session.pace)
    }

    /// Writes a case as its index in `allCases`, so the order of the cases must never change.
    private mutating func choice<Choice: CaseIterable & Equatable>(_ choice: Choice) where Choice.AllCases == [Choice] {
        byte(UInt8(Choice.allCases.firstIndex(of: choice) ?? 0))
    }
}

/// The fields of a ``ContentLedger`` other than its sessions.
struct LedgerHead {
    let version, countsFrom, sequence: Int64
    let firstPlay: DeviceTime?
    let carried: ContentUse
    let stop: ContentLedger.Stop?

    func ledger(_ sessions: [PlaySession]) -> ContentLedger {
        ContentLedger(
            version: version, countsFrom: countsFrom, sequence: sequence, firstPlay: firstPlay, carried: carried,
            sessions: sessions, stop: stop)
    }
}

extension LedgerReader {
    mutating func license() throws(LedgerFault) -> ContentLicenseID {
        guard let license = ContentLicenseID(number: try number()) else { throw LedgerFault() }
        return license
    }

    mutating func grant(of owner: LedgerOwner) throws(LedgerFault) -> ContentGrant {
        let license = try license()
        guard let enrolment = EnrolmentID(number: try number()), let content = ContentID(try text()) else {
            throw LedgerFault()
        }
        let request = try text()
        let version = try number(in: 1 ... .max)
        let issuedAt = try time()
        let settled = try number(in: 0...SessionReport.highestSequence)
        return ContentGrant(
            tenant: owner.tenant, license: license, enrolment: enrolment, content: content, device: owner.device,
            request: request, version: version, issuedAt: issuedAt, terms: try terms(), settled: settled)
    }

    private mutating func terms() throws(LedgerFault) -> ContentTerms {
        var terms = ContentTerms()
        try terms.code(with: &self)
        return terms
    }

    mutating func head() throws(LedgerFault) -> LedgerHead {
        LedgerHead(
            version: try number(), countsFrom: try number(),
            sequence: try number(in: 0...SessionReport.highestSequence),
            firstPlay: try optional { reader throws(LedgerFault) in try reader.deviceTime() },
            carried: ContentUse(
                plays: Int(clamping: try number(in: 0 ... .max)), playSeconds: try number(in: 0 ... .max)),
            stop: try optional { reader throws(LedgerFault) in try reader.choice(ContentLedger.Stop.self) })
    }

    private mutating func deviceTime() throws(LedgerFault) -> DeviceTime {
        DeviceTime(try time(), original: try optionalMoment(), ran: try optionalNumber(in: 0 ... .max))
    }

    mutating func session() throws(LedgerFault) -> PlaySession {
        let id = PlaySessionID(high: UInt64(bitPattern: try number()), low: UInt64(bitPattern: try number()))
        let version = try number()
        let isPaid = try flag()
        let startedAt = try optionalMoment()
        let isCounted = try flag()
        // ``PlaySession`` enforces the same upper bound.
        let most: ClosedRange<Int64> = 0 ... .max / 1_000_000
        let (rendered, charged) = (try number(in: most), try number(in: most))
        let state: PlaySession.State =
            switch try byte() {
            case 0: .playing
            case 1: .paused
            case 2: .resting(since: try time())
            default: throw LedgerFault()
            }
        return PlaySession(
            id: id, version: version, isPaid: isPaid, startedAt: startedAt, isCounted: isCounted,
            renderedMillis: rendered, chargedMillis: charged, state: state, lastBeatAt: try time(),
            sequence: try number(), pace: try number(in: 0...100_000))
    }
}

extension LedgerWriter: ContentTermsCoder {
    mutating func time(_ name: String, _ value: inout Timestamp?) { optional(value) }

    mutating func limit(_ name: String, _ value: inout Int64?, in range: ClosedRange<Int64>) { optional(value) }

    mutating func number(_ name: String, _ value: inout Int64, in range: ClosedRange<Int64>) { number(value) }

    mutating func flag(_ name: String, _ value: inout Bool) { flag(value) }

    mutating func choice<Choice: CaseIterable & Equatable>(_ name: String, _ value: inout Choice)
    where Choice.AllCases == [Choice] { choice(value) }
}

extension LedgerReader: ContentTermsCoder {
    mutating func time(_ name: String, _ value: inout Timestamp?) throws(LedgerFault) { value = try optionalMoment() }

    mutating func limit(_ name: String, _ value: inout Int64?, in range: ClosedRange<Int64>) throws(LedgerFault) {
        value = try optionalNumber(in: range)
    }

    mutating func number(_ name: String, _ value: inout Int64, in range: ClosedRange<Int64>) throws(LedgerFault) {
        value = try number(in: range)
    }

    mutating func flag(_ name: String, _ value: inout Bool) throws(LedgerFault) { value = try flag() }

    mutating func choice<Choice: CaseIterable>(_ name: String, _ value: inout Choice) throws(LedgerFault)
    where Choice.AllCases == [Choice] { value = try choice(Choice.self) }
}
