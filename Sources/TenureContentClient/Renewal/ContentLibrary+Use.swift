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
        guard let token = shelf.token else { return ToldReason(Reason(.signInNeeded)) }
        let now = moment().now
        let sessions = shelf.licenses.values.sorted { $0.grant.license < $1.grant.license }
            .flatMap { $0.unreported(at: now) }
        for some in sessions.inPieces(of: Self.mostSessions) {
            switch await service.report(Array(some), request: newRequest(), token: token.text) {
            case .yes(let settling):
                if let error = settle(Array(some), settling) { return ToldReason(.unwritable(error)) }
            case .no(let no): return no.reasons.first
            case .unknown(let unreached):
                wantNetwork(unreached)
                return ToldReason(.unreached(unreached))
            }
        }
        return nil
    }

    /// Notes what the server received. What fits nowhere is not told again: it holds nothing up.
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
        do throws(VaultError) {
            if !entries.isEmpty { try commit(entries) }
            return nil
        } catch {
            return error
        }
    }
}
