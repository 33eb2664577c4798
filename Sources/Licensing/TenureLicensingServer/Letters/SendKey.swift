import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// The result of a request to send a license's key again.
    enum KeyLetterOutcome: Sendable {
        /// The letter is waiting to be sent.
        case waiting(Mail, License)
        /// The license has been suspended, revoked or returned.
        case refused(Refusal)
        /// The key is random, or can't be computed with this master key.
        case keyNotKept
        /// The license has no address, or the tenant sends no letters.
        case notMailable
        /// Too many letters went to the address; the next one is possible after this number of seconds.
        case tooMany(retryAfter: Int64)
    }

    /// How many letters with keys may go to one address within an hour.
    static let mostKeyLettersInHour = 5

    /// Sends a license's key again, to the license's address.
    ///
    /// Saves the letter with an idempotency record; durable before this returns. Throws ``ServerError``, with the code
    /// `key_taken` if the license changes at the same time.
    func sendKeyOnce(
        _ request: RepeatableRequest?, for license: License,
        remembering: @escaping @Sendable (KeyLetterOutcome) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<KeyLetterOutcome> {
        guard let address = license.terms.letterAddress.map({ FoldedText($0) }) else { return .done(.notMailable) }
        var random = randomness.generator()
        let id = MailID.random(using: &random)
        let now = clock.now()
        let bound = Self.plan.bind(request, Parameters(license: license, address: address))
        return try await catalog.performOnce(request, at: now, bound, remembering: remembering) {
            (results, queries, snapshot) -> TransactionResult<KeyLetterOutcome> in
            guard let stored = results[queries.license],
                stored.terms.letterAddress.map({ FoldedText($0) }) == address
            else {
                throw ServerError(
                    .keyTaken, "The license \(license.id) has changed meanwhile. Nothing was sent; try again.")
            }
            if let reason = LifecycleState.chart.stop(in: stored.recordedState) {
                return TransactionResult(.refused(Refusal(reason)))
            }
            guard try KeyRoots(results[queries.roots], under: snapshot.master).text(of: stored) != nil else {
                return TransactionResult(.keyNotKept)
            }
            let earlier = results[queries.letters]
            if earlier.count == Self.mostKeyLettersInHour, let end = earlier.last?.createdAt.adding(seconds: 3600),
                end > now
            {
                return TransactionResult(.tooMany(retryAfter: now.seconds(until: end)))
            }
            let tenant = snapshot.catalog.tenants[stored.product.tenant]
            guard let letter = Mail.keys(of: [stored], id, from: tenant, at: now) else {
                return TransactionResult(.notMailable)
            }
            return TransactionResult(.waiting(letter, stored), letter.sending)
        }
    }

    private struct Parameters: Sendable {
        let license: License
        let address: FoldedText
    }

    private static let plan = IdempotentQueryPlan(for: Parameters.self) { query in
        query.hold(Mail.turnOfAddress) { [.of($0.license.product.tenant), .of($0.address)] }
        return (
            license: query.row(License.table.key) { [.of($0.license.id)] },
            roots: query.rows(KeyRoot.ofTenant, upTo: .everything) { [.of($0.license.product.tenant)] },
            letters: query.rows(Mail.ofAddress, upTo: mostKeyLettersInHour) {
                [.of($0.license.product.tenant), .of($0.address)]
            }
        )
    }
}
