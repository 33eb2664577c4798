package import TenureCore
package import TenureStore

extension CatalogCache {
    /// Carries out a change once per idempotency key: sent again within a day it is answered as before.
    ///
    /// The answer is remembered in the transaction of the change, sealed under the master key, because it may hold the
    /// text of a license key. Refusals are not remembered: they changed nothing, and may be cured meanwhile.
    ///
    /// A decision seals nothing. So the answer is foreseen and sealed beforehand; where the decision comes to another
    /// one it saves nothing, and is made again once that one is sealed.
    /// - Parameter remembering: The bytes to answer again; nil for an answer that changed nothing.
    package func performOnce<Looks: Sendable, Answer: Sendable>(
        _ request: RepeatableRequest?, at now: Timestamp, _ asked: CatalogAsked<RepeatableLooks<Looks>>,
        remembering: @escaping @Sendable (Answer) -> [UInt8]?,
        decide: @escaping @Sendable (Seen, Looks, CatalogSnapshot) throws(ServerError) -> Saving<Answer>
    ) async throws(ServerError) -> Once<Answer> {
        guard let request else {
            return .done(
                try await perform(asked) { (seen, all, snapshot) throws(ServerError) -> Saving<Answer> in
                    try decide(seen, all.looks, snapshot)
                })
        }
        // The same form, asked as a question: what the decision will see, unless somebody comes in between.
        let foreseen = try await asking { () async throws(StoreError) in try await store.look(asked.asked) }
        var ready: SealedAnswer?
        if let saving = try? decide(foreseen, asked.form.form.looks.looks.looks, current),
            let bytes = remembering(saving.answer)
        {
            ready = try SealedAnswer(bytes, to: request, at: now, under: master)
        }
        for _ in 0..<Self.attempts {
            let sealed = ready
            let attempt = try await perform(asked) {
                (seen, all, snapshot) throws(ServerError) -> Saving<Attempt<Answer>> in
                let earlier = seen[all.answer]
                if let earlier, earlier.at.seconds(until: now) < RememberedAnswer.lifetime {
                    return Saving(earlier.fingerprint == request.fingerprint ? .earlier(earlier) : .keyReused)
                }
                // Another request under that name was perhaps another token's.
                if let former = seen[all.former], former.fingerprint == request.fingerprint,
                    former.at.seconds(until: now) < RememberedAnswer.lifetime
                {
                    return Saving(.earlier(former))
                }
                let saving = try decide(seen, all.looks, snapshot)
                guard let bytes = remembering(saving.answer) else { return Saving(.done(saving.answer), saving.saves) }
                guard let sealed, sealed.bytes == bytes else { return Saving(.toSeal(bytes)) }
                return Saving(.done(saving.answer), saving.saves + [.put(sealed.record, over: earlier)])
            }
            switch attempt {
            case .done(let answer): return .done(answer)
            case .earlier(let answer): return .repeated(try master.open(sealedAnswer: answer.sealed, to: answer.key))
            case .keyReused: return .keyReused
            case .toSeal(let bytes): ready = try SealedAnswer(bytes, to: request, at: now, under: master)
            }
        }
        throw ServerError(
            .init("decision_busy"), "Others kept changing what this request is about. Try again.", isTransient: true)
    }
}

/// An answer that may have to be remembered, sealed before it is known whether it will be given.
private struct SealedAnswer: Sendable {
    let bytes: [UInt8]
    let record: RememberedAnswer

    init(_ bytes: [UInt8], to request: RepeatableRequest, at now: Timestamp, under master: MasterKey)
        throws(ServerError)
    {
        self.bytes = bytes
        record = RememberedAnswer(
            key: request.key, fingerprint: request.fingerprint,
            sealed: try master.seal(answer: bytes, to: request.key), at: now)
    }
}

/// What a decision on a request that may be a repeated one comes to.
private enum Attempt<Answer: Sendable>: Sendable {
    /// It was carried out.
    case done(Answer)
    /// It had been carried out before.
    case earlier(RememberedAnswer)
    /// Its key was used for another request.
    case keyReused
    /// Nothing was saved: these bytes have to be sealed first.
    case toSeal([UInt8])
}
