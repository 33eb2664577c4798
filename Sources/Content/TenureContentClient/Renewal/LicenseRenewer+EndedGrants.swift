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
            guard case .received(let reply) = chunk.outcomes[index].outcome else { return false }
            return hasEnded(reply, of: chunk.outcomes[index].content)
        }
        let grants = ended.compactMap { index -> ContentGrant? in
            if case .received(let reply) = chunk.outcomes[index].outcome { reply.answer.grant?.grant } else { nil }
        }
        guard !grants.isEmpty else { return chunk }
        let items = grants.map { RenewalItem(license: $0.license, version: $0.version, proof: nil) }
        let reply = await server.service.renew(
            items, always: always, usage: [], request: server.service.newRequest(), token: token.text, quickly: quickly)
        guard case .success(let settling) = reply else { return chunk }
        server.noteNext(settling.token, after: token)
        for (position, index) in ended.enumerated() {
            guard case .received(var reply) = chunk.outcomes[index].outcome,
                let answer = settling.answer(about: grants[position], at: position), reply.mayBecome(answer)
            else { continue }
            reply.answer = answer
            reply.settled = settling.settled[grants[position].license] ?? reply.settled
            chunk.outcomes[index].outcome = .received(reply)
        }
        return chunk
    }

    /// Whether the grant in a response would replace the stored one, but isn't playable and is due for renewal.
    private func hasEnded(_ reply: AskedChunk.ServerReply, of content: ContentID) -> Bool {
        guard let grant = reply.answer.grant?.grant, let stored = ledgerContents[content] else { return false }
        let instant = store.instant()
        var ledger: ContentLedger
        if stored.grant.license == grant.license {
            guard grant.version > stored.grant.version else { return false }
            ledger = stored.ledger
            ledger.adopt(grant)
        } else {
            ledger = ContentLedger(grant, used: reply.answer.used ?? .none)
        }
        let evaluation = grant.status(of: ledger, at: instant)
        return !evaluation.status.isPlayable && evaluation.isDue
    }
}

extension AskedChunk.ServerReply {
    /// Whether a second response replaces this one.
    ///
    /// A second response with a grant always does. A refusal replaces this response only if it concerns the stored
    /// license.
    fileprivate func mayBecome(_ answer: ContentItemAnswer) -> Bool {
        switch answer.outcome {
        case .renewed, .unchanged: answer.grant != nil
        case .refused, .terminal: !isAnew
        case .invalid, .transient: false
        }
    }
}
