import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// Sends a license's key again, to the license's address.
struct SendKey: Sendable {
    let licensing: LicensingContext

    /// The result of a request for a letter.
    enum Outcome: Sendable {
        /// The letter waits.
        case waiting(Mail, License)
        /// The license has been suspended, revoked or returned.
        case refused(Refusal)
        /// The key is random, or it can't be computed with this master key.
        case keyNotKept
        /// The license has no address, or the tenant sends no letters.
        case notMailable
        /// Too many letters went to the address; the next one is possible after this number of seconds.
        case tooMany(retryAfter: Int64)
    }

    /// How many letters may go to one address within an hour.
    static let mostInHour = 5

    /// Saves the letter with an idempotency record; durable before this returns.
    ///
    /// Throws ``ServerError``, with the code `key_taken` if the license changes at the same time.
    func once(
        _ request: RepeatableRequest?, for license: License,
        remembering: @escaping @Sendable (Outcome) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<Outcome> {
        guard let address = license.terms.letterAddress.map({ FoldedText($0) }) else { return .done(.notMailable) }
        var random = licensing.randomness.generator()
        let id = MailID.random(using: &random)
        let now = licensing.clock.now()
        let bound = Self.plan.bind(request, Parameters(license: license, address: address))
        return try await licensing.catalog.performOnce(request, at: now, bound, remembering: remembering) {
            (results, queries, snapshot) -> TransactionResult<Outcome> in
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
            if earlier.count == Self.mostInHour, let end = earlier.last?.createdAt.adding(seconds: 3600), end > now {
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
            letters: query.rows(Mail.ofAddress, upTo: mostInHour) {
                [.of($0.license.product.tenant), .of($0.address)]
            }
        )
    }
}
