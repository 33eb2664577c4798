package import TenureCore
package import TenureStore

extension CatalogCache {
    /// Runs a change once per idempotency key.
    ///
    /// The response is saved in the change's transaction, encrypted under the master key, because it may contain a
    /// license key. Refusals aren't saved, because they change nothing and a later attempt may succeed. A success that
    /// changed nothing is saved: repeating the suspension of a suspended license must not suspend it after a
    /// reinstatement.
    ///
    /// The response can't be encrypted during the transaction. So a read predicts the decision, and the predicted
    /// response is encrypted before the transaction. If the transaction decides differently, nothing is saved, and the
    /// transaction runs again with the other response encrypted.
    ///
    /// - Parameters:
    ///   - request: The request with its idempotency key; `nil` for a request without a key, whose response isn't
    ///     saved.
    ///   - remembering: Returns the part of an answer to save; `nil` for a refusal.
    package func performOnce<Queries: Sendable, Answer: Sendable>(
        _ request: RepeatableRequest?, at now: Timestamp, _ bound: BoundCatalogQuery<IdempotentQueries<Queries>>,
        remembering: @escaping @Sendable (Answer) -> RepeatableAnswer?,
        decide: @escaping @Sendable (QueryResult, Queries, CatalogSnapshot) throws -> TransactionResult<Answer>
    ) async throws(ServerError) -> IdempotentOutcome<Answer> {
        guard let request else {
            return .done(
                try await perform(bound) { (results, all, snapshot) -> TransactionResult<Answer> in
                    try decide(results, all.queries, snapshot)
                })
        }
        // Predicts the decision from the same data. The decision differs only if another request changes that data.
        let foreseen = try await store.fetch(bound.bound)
        var ready: SealedAnswer?
        if let saving = try? decide(foreseen, bound.queries.queries.queries, current),
            let answer = remembering(saving.answer)
        {
            ready = try SealedAnswer(answer, to: request, at: now, under: master)
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
                guard let answer = remembering(saving.answer) else {
                    return TransactionResult(.done(saving.answer), saving.saves)
                }
                guard let sealed, sealed.answer == answer, sealed.master.encrypts(like: snapshot.master) else {
                    return TransactionResult(.toSeal(answer))
                }
                return TransactionResult(.done(saving.answer), saving.saves + [.put(sealed.record, over: earlier)])
            }
            switch attempt {
            case .done(let answer): return .done(answer)
            case .earlier(.repeated(let row)): return .repeated(row)
            case .earlier(.keyReused): return .keyReused
            case .toSeal(let answer): ready = try SealedAnswer(answer, to: request, at: now, under: master)
            }
        }
        throw .decisionBusy
    }
}

/// A predicted response, encrypted before the transaction.
private struct SealedAnswer: Sendable {
    let answer: RepeatableAnswer
    let record: IdempotentResponse
    let master: MasterKey

    init(_ answer: RepeatableAnswer, to request: RepeatableRequest, at now: Timestamp, under master: MasterKey)
        throws(ServerError)
    {
        self.answer = answer
        self.master = master
        record = IdempotentResponse(
            key: request.key, fingerprint: request.fingerprint,
            records: IdempotentResponse.code(answer.records), actor: request.actor,
            sealed: try master.seal(answer: answer.body, to: request.key), at: now)
    }
}

/// The result of one attempt at a repeatable change.
private enum Attempt<Answer: Sendable>: Sendable {
    /// The change was carried out.
    case done(Answer)
    /// An earlier request had this key: its stored response, or the fact that it was a different request.
    case earlier(RepeatableRequest.Repetition<IdempotentResponse>)
    /// Nothing was saved, because this response must be encrypted first.
    case toSeal(RepeatableAnswer)
}
