import TenureClient
import TenureContent
import TenureCore

/// Applies responses to the ledger, each chunk as one unit.
extension LicenseRenewer {
    /// Applies the responses of a chunk.
    ///
    /// If they can't be written, none of them takes effect.
    ///
    /// - Parameter job: The renewal job that records the results; `nil` for a renewal before a play.
    func takeIn(_ chunk: AskedChunk, of job: RenewalJob? = nil) -> (results: [RenewalResult], problem: Reason?) {
        for case (_, .received(let reply)) in chunk.outcomes {
            // The use so far must be charged to the version under which it was played.
            server.plays.flush(reply.about)
        }
        let now = store.now
        let updates = chunk.outcomes.map { taking($1, about: $0, at: now) }
        let results = updates.map(\.result)
        let notes: [LedgerEntry] = job != nil && ledgerContents.job?.id == job?.id ? [.note(.told(results))] : []
        if let problem = server.write(updates, notes) {
            // The responses aren't on disk, so the old licenses stay, and the next renewal requests them again.
            let unwritten = ToldReason(problem)
            return (updates.map { RenewalResult($0.result.content, "transient", [unwritten]) }, problem)
        }
        server.network.wake()
        return (results, nil)
    }

    private func taking(_ outcome: AskedChunk.Outcome, about content: ContentID, at now: Timestamp)
        -> LedgerContents.TakenIn
    {
        switch outcome {
        case .untold(let reason): return ledgerContents.failed(content, reason, now)
        case .notKept: return notKept(content)
        case .unconfirmed:
            // This result isn't from the server, so it isn't stored as the server's last response.
            let result = RenewalResult(content.text, "refused", [ToldReason(Reason(.renewalUnconfirmed))])
            return LedgerContents.TakenIn(result: result, entries: [])
        case .received(let reply):
            // The license may have been returned or replaced while the request was in progress.
            guard let stored = ledgerContents[content], !ledgerContents.isOwed(stored.grant.license) else {
                return notKept(content)
            }
            guard stored.grant.license == reply.about else {
                return LedgerContents.TakenIn(result: RenewalResult(content.text, "unchanged"), entries: [])
            }
            return ledgerContents.takingIn(reply.answer, about: content, settled: reply.settled, at: now)
        }
    }

    private func notKept(_ content: ContentID) -> LedgerContents.TakenIn {
        let isOwed = ledgerContents[content].map { ledgerContents.isOwed($0.grant.license) } ?? false
        let reason = Reason(isOwed ? .contentLicenseReturned : .contentNotKept)
        return LedgerContents.TakenIn(result: RenewalResult(content.text, "invalid", [ToldReason(reason)]), entries: [])
    }
}
