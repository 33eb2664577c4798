package import TenureCore
package import TenureStore

extension CatalogCache {
    /// Runs a change once per idempotency key; a repeated request within a day gets the same response.
    ///
    /// The response is saved in the change's transaction, encrypted under the master key, because it may contain a
    /// license key. Refusals aren't saved, because they changed nothing and a later attempt may succeed.
    ///
    /// A decision can't encrypt. So the response is predicted by a read and encrypted beforehand. If the decision
    /// differs, nothing is saved, and it runs again after the new response is encrypted.
    ///
    /// - Parameter remembering: Returns the bytes to save; `nil` if the answer changed nothing.
    package func performOnce<Queries: Sendable, Answer: Sendable>(
        _ request: RepeatableRequest?, at now: Timestamp, _ bound: BoundCatalogQuery<IdempotentQueries<Queries>>,
        remembering: @escaping @Sendable (Answer) -> [UInt8]?,
        decide: @escaping @Sendable (QueryResult, Queries, CatalogSnapshot) throws -> TransactionResult<Answer>
    ) async throws(ServerError) -> IdempotentOutcome<Answer> {
        guard let request else {
            return .done(
                try await perform(bound) { (results, all, snapshot) -> TransactionResult<Answer> in
                    try decide(results, all.queries, snapshot)
                })
        }
        // Predicts the decision with a read of the same data; it only changes if another request intervenes.
        let foreseen = try await asking { try await store.fetch(bound.bound) }
        var ready: SealedAnswer?
        if let saving = try? decide(foreseen, bound.queries.queries.queries, current),
            let bytes = remembering(saving.answer)
        {
            ready = try SealedAnswer(bytes, to: request, at: now, under: master)
        }
        var attempts = RetryPolicy()
        while attempts.isLeft {
            let sealed = ready
            let attempt = try await perform(bound, within: &attempts) {
                (results, all, snapshot) -> TransactionResult<Attempt<Answer>> in
                let earlier = results[all.answer]
                if let repetition = request.repetition(of: earlier, at: now) {
                    return TransactionResult(.earlier(repetition))
                }
                let saving = try decide(results, all.queries, snapshot)
                guard let bytes = remembering(saving.answer) else {
                    return TransactionResult(.done(saving.answer), saving.saves)
                }
                guard let sealed, sealed.bytes == bytes else { return TransactionResult(.toSeal(bytes)) }
                return TransactionResult(.done(saving.answer), saving.saves + [.put(sealed.record, over: earlier)])
            }
            switch attempt {
            case .done(let answer): return .done(answer)
            case .earlier(.repeated(let answer)):
                return .repeated(try master.open(sealedAnswer: answer.sealed, to: answer.key))
            case .earlier(.keyReused): return .keyReused
            case .toSeal(let bytes): ready = try SealedAnswer(bytes, to: request, at: now, under: master)
            }
        }
        throw .decisionBusy
    }
}

/// A response that may be saved, encrypted before the transaction runs.
private struct SealedAnswer: Sendable {
    let bytes: [UInt8]
    let record: IdempotentResponse

    init(_ bytes: [UInt8], to request: RepeatableRequest, at now: Timestamp, under master: MasterKey)
        throws(ServerError)
    {
        self.bytes = bytes
        record = IdempotentResponse(
            key: request.key, fingerprint: request.fingerprint,
            sealed: try master.seal(answer: bytes, to: request.key), at: now)
    }
}

/// The result of one attempt at a repeatable change.
private enum Attempt<Answer: Sendable>: Sendable {
    /// The change was carried out.
    case done(Answer)
    /// An earlier request with this key was carried out.
    case earlier(RepeatableRequest.Repetition<IdempotentResponse>)
    /// Nothing was saved; these bytes must be encrypted first.
    case toSeal([UInt8])
}
