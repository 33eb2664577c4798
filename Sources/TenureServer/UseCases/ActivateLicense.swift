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
        /// The law's answer about this license, under this catalog.
        case answered(License, ActivateAnswer, CatalogSnapshot)
    }

    /// Decides and saves in one transaction; the seat is durable before this returns.
    ///
    /// Repeating it with the same device identity gives the same activation and changes nothing.
    /// Throws ``ServerError``: after a transient one the same call may be made again.
    public func callAsFunction(
        _ key: PresentedKey, of product: ProductRef, identity: DeviceIdentity, name: String
    ) async throws(ServerError) -> Outcome {
        var random = SecureRandom()
        let attempt = ActivationAttempt(
            newID: ActivationID.random(using: &random), identity: identity, name: name)
        let outcome = try await take(attempt, key.hash, product)
        guard case .unknown = outcome, let lookAlike = key.lookAlikeHash else { return outcome }
        return try await take(attempt, lookAlike, product)
    }

    private func take(
        _ attempt: ActivationAttempt, _ hash: Digest, _ product: ProductRef
    ) async throws(ServerError) -> Outcome {
        let keys = LoadKeys(license: .key(hash, in: product), seatsFor: attempt.identity)
        let now = clock.now()
        return try await catalog.perform(loading: keys) { (loaded, snapshot) throws(ServerError) -> Saving<Outcome> in
            guard let license = loaded.license, let seats = loaded.seats else {
                return Saving(.unknown(Refusal(.licenseUnknown)))
            }
            let answer = license.activate(attempt, seats: seats, under: try snapshot.policy(of: license), at: now)
            switch answer {
            case .activated(_, _, let consequences):
                return Saving(.answered(license, answer, snapshot), [Write](consequences))
            case .refused:
                return Saving(.answered(license, answer, snapshot))
            }
        }
    }
}
