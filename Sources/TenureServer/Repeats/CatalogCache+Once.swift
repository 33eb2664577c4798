import TenureCore
import TenureStore

extension CatalogCache {
    /// Carries out a change once per idempotency key: sent again within a day it is answered as before.
    ///
    /// The answer is remembered in the transaction of the change, sealed under the master key, because it may hold the
    /// text of a license key. Refusals are not remembered: they changed nothing, and may be cured meanwhile.
    /// - Parameter remembering: The bytes to answer again; nil for an answer that changed nothing.
    func performOnce<Answer: Sendable>(
        _ request: RepeatableRequest?, at now: Timestamp, loading keys: LoadKeys,
        remembering: @escaping @Sendable (Answer) -> [UInt8]?,
        decide: @escaping @Sendable (Loaded, CatalogSnapshot) throws(ServerError) -> Saving<Answer>
    ) async throws(ServerError) -> Once<Answer> {
        guard let request else { return .done(try await perform(loading: keys, decide: decide)) }
        var keys = keys
        keys.answerTo = request.key
        let master = master
        return try await perform(loading: keys) { (loaded, snapshot) throws(ServerError) -> Saving<Once<Answer>> in
            if let earlier = loaded.answer, earlier.at.seconds(until: now) < RememberedAnswer.lifetime {
                guard earlier.fingerprint == request.fingerprint else { return Saving(.keyReused) }
                return Saving(.repeated(try master.open(earlier)))
            }
            let saving = try decide(loaded, snapshot)
            guard let bytes = remembering(saving.answer) else { return Saving(.done(saving.answer), saving.writes) }
            let answer = try master.seal(bytes, answering: request, at: now)
            return Saving(.done(saving.answer), saving.writes + [.remember(answer)])
        }
    }
}

extension MasterKey {
    fileprivate func seal(
        _ bytes: [UInt8], answering request: RepeatableRequest, at now: Timestamp
    ) throws(ServerError) -> RememberedAnswer {
        RememberedAnswer(
            key: request.key, fingerprint: request.fingerprint, sealed: try seal(answer: bytes, to: request.key),
            at: now)
    }

    fileprivate func open(_ answer: RememberedAnswer) throws(ServerError) -> [UInt8] {
        try open(sealedAnswer: answer.sealed, to: answer.key)
    }
}
