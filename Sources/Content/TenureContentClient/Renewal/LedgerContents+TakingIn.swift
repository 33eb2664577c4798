import TenureClient
import TenureContent
import TenureCore
import TenureFormats

/// The changes that a response causes, computed from the stored state and the response.
extension LedgerContents {
    /// The effects of a response on a content item: the result, the entries to write, and whether to remove the media.
    struct TakenIn {
        var result: RenewalResult
        var entries: [LedgerEntry]
        /// The reason to show if the ledger is older than what the server received; `nil` otherwise.
        var putBack: Reason?
        /// Whether to remove the item's media.
        var deletes = false
    }

    /// Computes the changes for a response.
    ///
    /// - Parameters:
    ///   - content: The requested item.
    ///   - settled: The highest sequence number that the server received for the license; `nil` if it didn't say.
    ///   - now: The current trusted time.
    func takingIn(
        _ answer: ContentItemAnswer, about content: ContentID, settled: Int64?, at now: Timestamp
    ) -> TakenIn {
        switch answer.outcome {
        case .renewed, .unchanged: return granted(answer, content, settled, now)
        case .terminal:
            guard let refusal = answer.refusal, refusal.content == content, refusal.act != .none,
                let stored = self[content], refusal.license == stored.grant.license
            else { return failed(content, .unverifiedAnswer, now) }
            var update = used(stored, answer, settled, now)
            update.ledger.stop(ContentLedger.Stop(refusal), at: now)
            let result = RenewalResult(content.text, "terminal", answer.reasons)
            return TakenIn(
                result: result, entries: [entry(stored, update), fate(result, now)], putBack: update.putBack,
                deletes: refusal.act == .delete)
        case .refused, .invalid, .transient:
            let result = RenewalResult(content.text, answer.outcome.rawValue, answer.reasons)
            guard let stored = self[content], answer.outcome == .refused else {
                return TakenIn(result: result, entries: [fate(result, now)])
            }
            let update = used(stored, answer, settled, now)
            let isSame = update.ledger == stored.ledger && update.known == stored.acknowledged
            return TakenIn(
                result: result, entries: (isSame ? [] : [entry(stored, update)]) + [fate(result, now)],
                putBack: update.putBack)
        }
    }

    /// The result and entries if the server was unreachable or the response couldn't be used.
    func failed(_ content: ContentID, _ reason: ToldReason, _ now: Timestamp) -> TakenIn {
        let result = RenewalResult(content.text, "transient", [reason])
        return TakenIn(result: result, entries: [fate(result, now)])
    }

    private func granted(
        _ answer: ContentItemAnswer, _ content: ContentID, _ settled: Int64?, _ now: Timestamp
    ) -> TakenIn {
        guard let verified = answer.grant, verified.grant.content == content else {
            return failed(content, .unverifiedAnswer, now)
        }
        let grant = verified.grant
        let settled = settled ?? grant.settled
        let result = RenewalResult(content.text, answer.outcome.rawValue)
        var entries: [LedgerEntry] = []
        if fates[content.text] != nil { entries.append(.note(.fate(content.text, nil))) }
        guard let stored = self[content], stored.grant.license == grant.license else {
            // The app may have been reinstalled. Its new ledger continues from the use that it reported before.
            let received = max(grant.settled, answer.settled ?? 0)
            let ledger = ContentLedger(grant, used: answer.used ?? .none, settled: received)
            if let old = self[content] { entries.append(.gone(old.grant.license)) }
            entries += [.grant(grant, proof: verified.proof), .use(grant.license, ledger, acknowledged: received)]
            return TakenIn(result: result, entries: entries)
        }
        var update = used(stored, settled, now)
        // Versions never decrease: an earlier version is ignored.
        if grant.version > stored.grant.version { update.ledger.adopt(grant) }
        let newest = grant.version > stored.grant.version ? grant : stored.grant
        if let used = answer.used, grant.version == newest.version {
            update.ledger.take(used, settled: settled, under: newest)
        }
        if grant.version > stored.grant.version { entries.append(.grant(grant, proof: verified.proof)) }
        if update.ledger != stored.ledger || update.known != stored.acknowledged || grant.version > stored.grant.version
        {
            entries.append(.use(grant.license, update.ledger, acknowledged: update.known))
        }
        return TakenIn(result: result, entries: entries, putBack: update.putBack)
    }

    typealias Settled = (ledger: ContentLedger, known: Int64, putBack: Reason?)

    private func used(
        _ stored: KeptLicense, _ answer: ContentItemAnswer, _ settled: Int64?, _ now: Timestamp
    ) -> Settled {
        var update = used(stored, settled, now)
        if let used = answer.used { update.ledger.take(used, settled: settled ?? 0, under: stored.grant) }
        return update
    }

    /// The ledger after the server reported what it received.
    ///
    /// If the server received more than this ledger contains, the ledger is an older copy. Its sequence numbers may
    /// belong to other sessions on the server, so the response acknowledges none of its sessions.
    func used(_ stored: KeptLicense, _ settled: Int64?, _ now: Timestamp) -> Settled {
        guard let settled else { return (stored.ledger, stored.acknowledged, nil) }
        var ledger = stored.ledger
        if ledger.isBehind(settled) {
            let facts: [Reason.Evidence] = [
                .init("sequence", .number(ledger.sequence)), .init("settled", .number(settled)),
            ]
            ledger.take(.none, settled: settled, under: stored.grant)
            return (ledger, stored.acknowledged, Reason(.ledgerPutBack, evidence: facts))
        }
        ledger.settle(upTo: settled, under: stored.grant.terms, at: now)
        return (ledger, max(stored.acknowledged, settled), nil)
    }

    private func entry(_ stored: KeptLicense, _ update: Settled) -> LedgerEntry {
        .use(stored.grant.license, update.ledger, acknowledged: update.known)
    }

    private func fate(_ result: RenewalResult, _ now: Timestamp) -> LedgerEntry {
        .note(
            .fate(
                result.content, KeptFate(outcome: result.outcome, reasons: result.reasons, at: Moment(now))))
    }
}

extension ContentLedger.Stop {
    /// Determines the stop from a signed refusal.
    ///
    /// A deletion follows from the refusal's act. Any other stop follows from its reasons; if none of them is known, it
    /// is `revoked`.
    init(_ refusal: ContentRefusal) {
        let kinds: [(Reason.Kind, ContentLedger.Stop)] = [
            (.contentLicenseRevoked, .revoked), (.contentLicenseReturned, .returned), (.deviceReleased, .released),
            (.contentLicenseExpired, .expired),
        ]
        let codes = refusal.reasons.map(\.code)
        self =
            refusal.act == .delete
            ? .deleted : kinds.first { codes.contains($0.0) }?.1 ?? .revoked
    }
}

extension ToldReason {
    /// The reason for a response that failed verification.
    static let unverifiedAnswer = ToldReason(Reason.unreached(RequestFailure(.badSignature)))
}
