public import TenureCore
import TenureCrypto
import TenureStore

/// Gives a device a seat of a license, or says why not.
public struct ActivateLicense: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// What the wish comes to.
    public enum Outcome: Sendable {
        /// No license of this product goes by that key.
        case unknown(Refusal)
        /// The law's answer about this license.
        case answered(License, ActivateAnswer)
    }

    /// Decides and saves in one transaction; the seat is durable before this returns.
    ///
    /// Repeating it with the same device identity gives the same activation and changes nothing.
    /// Answers nil, and saves nothing, when the catalog is no longer this one: whoever was let in under it has to be
    /// looked at again. Throws ``ServerError``: after a transient one the same call may be made again.
    public func callAsFunction(
        _ key: PresentedKey, of product: ProductRef, identity: DeviceIdentity, name: String,
        under snapshot: CatalogSnapshot
    ) async throws(ServerError) -> Outcome? {
        var random = SecureRandom()
        let attempt = ActivationAttempt(
            newID: ActivationID.random(using: &random), identity: identity, name: name)
        let outcome = try await take(attempt, key.hash, product, snapshot)
        guard case .unknown = outcome, let lookAlike = key.lookAlikeHash else { return outcome }
        return try await take(attempt, lookAlike, product, snapshot)
    }

    private func take(
        _ attempt: ActivationAttempt, _ hash: Digest, _ product: ProductRef, _ snapshot: CatalogSnapshot
    ) async throws(ServerError) -> Outcome? {
        let keys = LoadKeys(license: .key(hash, in: product), seatsFor: attempt.identity)
        let now = clock.now()
        return try await catalog.perform(under: snapshot, loading: keys) {
            (loaded, snapshot) throws(ServerError) -> Saving<Outcome> in
            guard let license = loaded.license, let seats = loaded.seats else {
                return Saving(.unknown(Refusal(.licenseUnknown)))
            }
            let answer = license.activate(attempt, seats: seats, under: try snapshot.policy(of: license), at: now)
            switch answer {
            case .activated(_, _, let consequences):
                return Saving(.answered(license, answer), [Write](consequences))
            case .refused:
                return Saving(.answered(license, answer))
            }
        }
    }
}
