import TenureClient
import TenureCore

/// Grants that a server gave and that have ended all the same.
extension ContentLibrary {
    /// Asks once more about grants in a chunk that do not play although they are newer than what is kept.
    ///
    /// The answer to an earlier renewal may have been lost, and the version that it gave may have ended since. A server
    /// before 0.2 repeats that version to a device that names an older one. Without this the person has to tap twice.
    func renewedFurther(
        _ chunk: AskedChunk, always: Bool, _ token: HolderToken, _ quickly: Bool
    ) async -> AskedChunk {
        var chunk = chunk
        let ended = chunk.outcomes.indices.filter { index in
            guard case .told(let told) = chunk.outcomes[index].outcome else { return false }
            return hasEnded(told, of: chunk.outcomes[index].content)
        }
        let grants = ended.compactMap { index -> ContentGrant? in
            if case .told(let told) = chunk.outcomes[index].outcome { told.answer.grant?.grant } else { nil }
        }
        guard !grants.isEmpty else { return chunk }
        let items = grants.map { RenewalItem(license: $0.license, version: $0.version, proof: nil) }
        let reply = await service.renew(
            items, always: always, usage: [], request: newRequest(), token: token.text, quickly: quickly)
        guard case .yes(let settling) = reply else { return chunk }
        noteNext(settling.token, after: token)
        for (place, index) in ended.enumerated() {
            guard case .told(var told) = chunk.outcomes[index].outcome,
                let answer = settling.answer(about: grants[place], at: place), told.mayBecome(answer)
            else { continue }
            told.answer = answer
            told.settled = settling.settled[grants[place].license] ?? told.settled
            chunk.outcomes[index].outcome = .told(told)
        }
        return chunk
    }

    /// Whether an answer's grant would replace what is kept, and is due for renewal in place of playing.
    private func hasEnded(_ told: AskedChunk.Told, of content: ContentID) -> Bool {
        guard let grant = told.answer.grant?.grant, let kept = shelf[content] else { return false }
        let moment = moment()
        var ledger: ContentLedger
        if kept.grant.license == grant.license {
            guard grant.version > kept.grant.version else { return false }
            ledger = kept.ledger
            ledger.adopt(grant, at: moment.now)
        } else {
            ledger = ContentLedger(grant, used: told.answer.used ?? .none)
        }
        let standing = grant.status(of: ledger, at: moment)
        return !standing.status.isPlayable && standing.isDue
    }
}

extension AskedChunk.Told {
    /// Whether the answer to a second question replaces this one: a grant, or a refusal of the license that is kept.
    fileprivate func mayBecome(_ answer: ContentItemAnswer) -> Bool {
        switch answer.outcome {
        case .renewed, .unchanged: answer.grant != nil
        case .refused, .terminal: !isAnew
        case .invalid, .transient: false
        }
    }
}
