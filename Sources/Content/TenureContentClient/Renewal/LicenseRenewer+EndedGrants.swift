import TenureClient
import TenureContent
import TenureCore

/// Handling of grants that have already ended when they arrive.
extension LicenseRenewer {
    /// Asks once more about grants in a chunk that are newer than the stored ones but not playable.
    ///
    /// The response to an earlier renewal may have been lost, and the version it granted may have ended since. A server
    /// before 0.2 repeats that version to a device that names an older one. Without the second request, the user would
    /// have to tap twice.
    nonisolated(nonsending) func renewedFurther(
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
        let reply = await server.service.renew(
            items, always: always, usage: [], request: server.service.newRequest(), token: token.text, quickly: quickly)
        guard case .success(let settling) = reply else { return chunk }
        server.noteNext(settling.token, after: token)
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

    /// Whether the grant in a response would replace the stored one, but isn't playable and is due for renewal.
    private func hasEnded(_ told: AskedChunk.ServerReply, of content: ContentID) -> Bool {
        guard let grant = told.answer.grant?.grant, let kept = ledgerContents[content] else { return false }
        let moment = store.moment()
        var ledger: ContentLedger
        if kept.grant.license == grant.license {
            guard grant.version > kept.grant.version else { return false }
            ledger = kept.ledger
            ledger.adopt(grant)
        } else {
            ledger = ContentLedger(grant, used: told.answer.used ?? .none)
        }
        let standing = grant.status(of: ledger, at: moment)
        return !standing.status.isPlayable && standing.isDue
    }
}

extension AskedChunk.ServerReply {
    /// Whether a second response replaces this one.
    ///
    /// A grant does. A refusal does only if it concerns the stored license.
    fileprivate func mayBecome(_ answer: ContentItemAnswer) -> Bool {
        switch answer.outcome {
        case .renewed, .unchanged: answer.grant != nil
        case .refused, .terminal: !isAnew
        case .invalid, .transient: false
        }
    }
}
