public import TenureCore
import TenureStore

/// Answers a device that asks whether it may go on.
public struct ValidateLicense: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock
    let sightings: Sightings

    /// What the question comes to.
    public enum Outcome: Sendable {
        /// No license of this product goes by that key.
        case unknown(Refusal)
        /// The law's answer about this license, under this catalog.
        case answered(License, ValidateAnswer, CatalogSnapshot)
    }

    /// Looks the license and the activation up in one consistent read and asks the law.
    ///
    /// Changes nothing but the note of when the device was last seen, which is written in the background.
    /// With a device named, only the one that the activation was given to is told yes.
    /// Throws ``ServerError``: nothing was decided, the caller may try again when it is transient.
    public func callAsFunction(
        _ key: PresentedKey, activation: ActivationID, of product: ProductRef, from device: DeviceIdentity? = nil
    ) async throws(ServerError) -> Outcome {
        var record = try await look(activation, key.hash, product)
        if record.license == nil, let lookAlike = key.lookAlikeHash {
            record = try await look(activation, lookAlike, product)
        }
        let snapshot = try await catalog.snapshot(of: record.catalogVersion)
        guard let license = record.license else { return .unknown(Refusal(.licenseUnknown)) }
        let now = clock.now()
        let answer = license.validate(
            record.activation, from: device, under: try snapshot.policy(of: license), at: now)
        if let seen = record.activation, seen.isLive, seen.license == license.id,
            device ?? seen.identity == seen.identity
        {
            sightings.note(seen.id, at: now)
        }
        return .answered(license, answer, snapshot)
    }

    private func look(
        _ activation: ActivationID, _ hash: Digest, _ product: ProductRef
    ) async throws(ServerError) -> ValidationRecord {
        do throws(StoreError) {
            return try await store.validation(of: activation, for: hash, in: product)
        } catch {
            throw ServerError(error)
        }
    }
}
