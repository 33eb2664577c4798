import TenureClient
import TenureCore
import TenureVault

/// Taking in what was answered: all of it in one turn, so that nobody sees the half of it.
extension ContentLibrary {
    /// Takes in what came of a chunk, and tells what it came to; where it could not be written down, none of it holds.
    /// - Parameter job: The renewal that it belongs to, which notes what it came to; nil for a play's own.
    func takeIn(_ chunk: AskedChunk, of job: RenewalJob? = nil) -> (results: [RenewalResult], error: VaultError?) {
        for case (_, .told(let told)) in chunk.outcomes {
            // What was played so far is charged to the version that it was played under.
            flush(told.about)
        }
        let now = moment().now
        let taken = chunk.outcomes.map { taking($1, about: $0, at: now) }
        let results = taken.map(\.result)
        let notes: [LedgerEntry] = job != nil && shelf.job?.id == job?.id ? [.note(.told(results))] : []
        if let error = write(taken, notes) {
            // What was answered is not on disk, so it was not: the old licenses stay, and the next renewal asks again.
            let unwritten = ToldReason(.unwritable(error))
            return (taken.map { RenewalResult($0.result.content, "transient", [unwritten]) }, error)
        }
        wake()
        return (results, nil)
    }

    private func taking(_ outcome: AskedChunk.Outcome, about content: ContentID, at now: Timestamp) -> Shelf.TakenIn {
        switch outcome {
        case .untold(let reason): return shelf.failed(content, reason, now)
        case .notKept: return notKept(content)
        case .unconfirmed:
            // Not the server's word, so it is not kept as its last.
            let result = RenewalResult(content.text, "refused", [ToldReason(Reason(.renewalUnconfirmed))])
            return Shelf.TakenIn(result: result, entries: [])
        case .told(let told):
            // It may have been given back while the server answered, or given anew.
            guard let kept = shelf[content], !shelf.isOwed(kept.grant.license) else { return notKept(content) }
            guard kept.grant.license == told.about else {
                return Shelf.TakenIn(result: RenewalResult(content.text, "unchanged"), entries: [])
            }
            return shelf.takingIn(told.answer, about: content, settled: told.settled, at: now)
        }
    }

    private func notKept(_ content: ContentID) -> Shelf.TakenIn {
        let isOwed = shelf[content].map { shelf.isOwed($0.grant.license) } ?? false
        let reason = Reason(isOwed ? .contentLicenseReturned : .contentNotKept)
        return Shelf.TakenIn(result: RenewalResult(content.text, "invalid", [ToldReason(reason)]), entries: [])
    }

    /// Writes what answers came to, all or nothing, and removes what is to be deleted.
    func write(_ taken: [Shelf.TakenIn], _ others: [LedgerEntry] = []) -> VaultError? {
        let entries = taken.flatMap(\.entries) + others + tokenEntries
        do throws(VaultError) {
            if !entries.isEmpty { try commit(entries) }
            nextToken = nil
        } catch {
            return error
        }
        for one in taken {
            putBack = one.putBack ?? putBack
            guard one.deletes, let facts = ContentID(one.result.content).flatMap({ shelf.contents[$0] }),
                let path = facts.media
            else { continue }
            mediaRemoval(MediaFile(content: one.result.content, path: path, bytes: facts.bytes))
        }
        goOnPlaying()
        return nil
    }

    /// Keeps the token that came with an answer for the next write, unless the holder signed in anew since it was asked.
    func noteNext(_ text: String?, after token: HolderToken) {
        guard let text, shelf.token?.isSame(as: token) == true else { return }
        nextToken = (token.successor(text, at: moment().now), token)
    }

    /// Entries for a token that came with an answer; none where the holder signed in anew since.
    private var tokenEntries: [LedgerEntry] {
        guard let (next, before) = nextToken, shelf.token?.isSame(as: before) == true else { return [] }
        return [.note(.token(next))]
    }
}
