import TenureClient
import TenureCore
import TenureVault

extension ContentLibrary {
    /// The most sessions in one report.
    private static let mostSessions = 500

    /// Asks what time it is, unless the server told within the last minute and nobody wants to know `anyway`; answers what
    /// keeps anybody from asking more.
    func checkIn(quickly: Bool = false, anyway: Bool = false) async -> ToldReason? {
        if !anyway, moment().onlineUntil != nil, !moment().isSetBack { return nil }
        switch await service.time(quickly: quickly) {
        case .yes(let time):
            let reading = clocks.device.read()
            var marks = shelf.marks ?? ClockMarks(reading)
            marks.take(Moment(time), isFresh: true, at: reading)
            do throws(VaultError) {
                try commit([.note(.clock(marks))])
                return nil
            } catch {
                return ToldReason(.unwritable(error))
            }
        case .no(let no): return no.reasons.first
        case .unknown(let unreached):
            wantNetwork(unreached)
            return ToldReason(.unreached(unreached))
        }
    }

    /// Reports all use that the server does not know; answers what keeps it from being told.
    func reportUse() async -> ToldReason? {
        let now = moment().now
        let sessions = shelf.licenses.values.sorted { $0.grant.license < $1.grant.license }
            .flatMap { $0.unreported(at: now) }
        if sessions.isEmpty, shelf.token == nil { return ToldReason(Reason(.signInNeeded)) }
        for some in sessions.inPieces(of: Self.mostSessions) {
            if let problem = await report(Array(some)) { return problem }
        }
        return nil
    }

    /// Gets the token's successor with a report of no sessions when that is due, so that a device that is used stays
    /// signed in while no license needs renewing; answers what prevented it.
    @discardableResult
    func keepSignedIn() async -> ToldReason? {
        let now = moment().now
        guard !isAskingForToken, let token = shelf.token, token.isSuccessorDue(at: now) else { return nil }
        isAskingForToken = true
        defer { isAskingForToken = false }
        let problem = await report([])
        // Also after a refusal, which servers give that expect a session: the question is not repeated before a day.
        if problem?.isMendedByWaiting != true, shelf.token?.isSame(as: token) == true {
            try? commit([.note(.token(token.asked(at: now)))])
        }
        return problem?.code == "field_invalid" ? nil : problem
    }

    /// Reports sessions, up to 500, and takes in what the server answers; answers what prevented it.
    private func report(_ sessions: [SessionReport]) async -> ToldReason? {
        guard let token = shelf.token else { return ToldReason(Reason(.signInNeeded)) }
        switch await service.report(sessions, request: newRequest(), token: token.text) {
        case .yes(let settling):
            noteNext(settling.token, after: token)
            return settle(sessions, settling).map { ToldReason(.unwritable($0)) }
        case .no(let no): return no.reasons.first
        case .unknown(let unreached):
            wantNetwork(unreached)
            return ToldReason(.unreached(unreached))
        }
    }

    /// Notes what the server received, and takes over the use that it knows where that is more than is known here. What
    /// fits nowhere is not reported again: it holds nothing up.
    private func settle(_ sent: [SessionReport], _ settling: ContentSettling) -> VaultError? {
        let now = moment().now
        var settled = settling.settled
        for (index, session) in sent.enumerated() where settling.refused[index] != nil {
            settled[session.license] = max(settled[session.license] ?? 0, session.sequence)
        }
        var entries: [LedgerEntry] = []
        for (license, sequence) in settled.sorted(by: { $0.key < $1.key }) {
            guard let kept = shelf.licenses[license] else { continue }
            var taken = shelf.used(kept, sequence, now)
            // Use of another version says nothing about this one; the next renewal settles it.
            if let told = settling.uses[license], told.version == kept.grant.version {
                taken.ledger.take(told.used, settled: sequence, under: kept.grant)
            }
            putBack = taken.putBack ?? putBack
            entries.append(.use(license, taken.ledger, known: taken.known))
        }
        return write([], entries)
    }
}
