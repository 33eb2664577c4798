import TenureContent
import TenureClient
import TenureCore
import TenureVault

extension ContentLibrary {
    /// The maximum number of sessions in one report.
    private static let mostSessions = 500

    /// Requests the server's time, unless it was received within the last minute.
    ///
    /// - Parameters:
    ///   - quickly: Whether to use the short timeouts.
    ///   - anyway: Whether to send the request even if the time was received recently.
    /// - Returns: Why the server can't be asked; `nil` on success.
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

    /// Reports all use that the server hasn't received; returns what prevents it, or `nil`.
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

    /// Requests a new token with an empty usage report when it is due; returns what prevents it, or `nil`.
    ///
    /// This keeps a device signed in while no license needs a renewal.
    @discardableResult
    func keepSignedIn() async -> ToldReason? {
        let now = moment().now
        guard !isAskingForToken, let token = shelf.token, token.isSuccessorDue(at: now) else { return nil }
        isAskingForToken = true
        defer { isAskingForToken = false }
        let problem = await report([])
        // Also recorded after a refusal by an older server that expects a session. The next attempt follows a day
        // later.
        if problem?.isMendedByWaiting != true, shelf.token?.isSame(as: token) == true {
            try? commit([.note(.token(token.asked(at: now)))])
        }
        return problem?.code == "field_invalid" ? nil : problem
    }

    /// Reports up to 500 sessions and applies the response; returns what prevents it, or `nil`.
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

    /// Records what the server received and takes over its use where that is higher.
    ///
    /// Sessions that the server rejected aren't reported again, so that they don't block later ones.
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
            // Use of another version doesn't apply to this one; the next renewal settles it.
            if let told = settling.uses[license], told.version == kept.grant.version {
                taken.ledger.take(told.used, settled: sequence, under: kept.grant)
            }
            putBack = taken.putBack ?? putBack
            entries.append(.use(license, taken.ledger, known: taken.known))
        }
        return write([], entries)
    }
}
