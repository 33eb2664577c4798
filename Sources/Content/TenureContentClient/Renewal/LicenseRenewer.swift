import TenureClient
import TenureContent
import TenureCore

/// Renews up to 100 licenses: requests their renewal, and applies the responses to the ledger.
struct LicenseRenewer {
    let server: ServerSync
    let clocks: ContentClocks
    var store: LicenseStore { server.store }
    var ledgerContents: LedgerContents { store.ledgerContents }
    private var service: ContentService { server.service }

    /// How many times to try a chunk before leaving its items for later.
    private static let attempts = 3

    /// Asks the server to renew up to 100 items, without applying the responses.
    nonisolated(nonsending) func request(_ contents: [ContentID], always: Bool, quickly: Bool = false) async
        -> AskedChunk
    {
        guard let token = ledgerContents.token else {
            return AskedChunk(contents, untold: ToldReason(Reason(.signInNeeded)))
        }
        var proofs: Set<ContentLicenseID> = []
        var attempt = 0
        while true {
            let licenses = contents.compactMap { content -> KeptLicense? in
                ledgerContents[content].flatMap { ledgerContents.isOwed($0.grant.license) ? nil : $0 }
            }
            guard !licenses.isEmpty else { return AskedChunk(contents, []) }
            let items = licenses.map { stored in
                let license = stored.grant.license
                return RenewalItem(
                    license: license, version: stored.grant.version,
                    proof: proofs.contains(license) ? store.durableLedger.proof(of: license) : nil)
            }
            let usage = licenses.flatMap { $0.unreported(at: store.now) }.prefix(500)
            let reply = await service.renew(
                items, always: always, usage: Array(usage), request: service.newRequest(), token: token.text,
                quickly: quickly)
            switch reply {
            case .success(let settling):
                server.noteNext(settling.token, after: token)
                let grants = licenses.map(\.grant)
                let answers = grants.enumerated().map { ($1, settling.answer(about: $1, at: $0)) }
                let needed = answers.filter { $0.1?.reasons.first?.code == "grant_needed" }.map(\.0.license)
                if proofs.isEmpty, !needed.isEmpty {
                    // The server needs grants that it has lost, for example in a restore. The request is sent once more
                    // with them, which doesn't count as a retry.
                    proofs = Set(needed)
                    continue
                }
                let chunk = await askedAnew(AskedChunk(contents, answers, settling.settled), token, quickly)
                return await renewedFurther(chunk, always: always, token, quickly)
            case .refused(let no):
                // A refusal concerns the request or the token, so a retry doesn't help.
                return AskedChunk(contents, untold: no.reasons.first ?? .unverifiedAnswer)
            case .unknown(let unreached):
                attempt += 1
                let reason = ToldReason(.unreached(unreached))
                // A busy server may respond to later chunks; without a network, none would succeed.
                guard unreached.cause == .busy else {
                    server.network.want(after: unreached)
                    return AskedChunk(contents, untold: reason)
                }
                let wait = max(Double(unreached.retryAfter ?? 0), clocks.random(min(300, 2 * Double(1 << attempt))))
                guard !quickly, attempt < Self.attempts, wait <= 300 else {
                    server.network.want(after: unreached)
                    return AskedChunk(contents, untold: reason, stops: false)
                }
                try? await clocks.sleep(.milliseconds(Int(wait * 1_000)))
            }
        }
    }

    /// Requests new licenses in place of those that the server doesn't have.
    nonisolated(nonsending) private func askedAnew(_ chunk: AskedChunk, _ token: HolderToken, _ quickly: Bool) async
        -> AskedChunk
    {
        var chunk = chunk
        for (index, (content, outcome)) in chunk.outcomes.enumerated() {
            guard case .received(let reply) = outcome, reply.answer.isOfUnknownLicense else { continue }
            chunk.outcomes[index].outcome = .received(await askAnew(content, reply, token, quickly))
        }
        return chunk
    }

    /// Requests a new license for an item.
    ///
    /// If the server refuses, its reasons are appended to the earlier ones.
    nonisolated(nonsending) private func askAnew(
        _ content: ContentID, _ reply: AskedChunk.ServerReply, _ token: HolderToken, _ quickly: Bool
    ) async -> AskedChunk.ServerReply {
        var reply = reply
        switch await service.license(content, request: service.newRequest(), token: token.text, quickly: quickly) {
        case .success(let given) where given.grant != nil:
            reply = AskedChunk.ServerReply(answer: given, about: reply.about, isAnew: true, settled: nil)
        case .success(let other): reply.answer.reasons += other.reasons
        case .refused(let no): reply.answer.reasons += no.reasons
        case .unknown(let unreached):
            reply.answer.outcome = .transient
            reply.answer.reasons.insert(ToldReason(.unreached(unreached)), at: 0)
        }
        return reply
    }
}
