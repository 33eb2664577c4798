public import TenureCore
public import TenureServerKit
import TenureStore

/// Answers a device that asks whether it may go on.
public struct ValidateLicense: Sendable {
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
        var values = KeyLooks.values(key, of: product)
        values.append(.of(activation))
        let asked = Self.form.asked(all: values)
        let (seen, looks, snapshot) = try await catalog.look(asked)
        guard let license = looks.key.license(in: seen) else { return .unknown(Refusal(.licenseUnknown)) }
        return try answer(license, seen[looks.activation], from: device, under: snapshot)
    }

    /// The same in one look-up, for a caller that has sent too many unknown keys. Nil unless the request shows a live
    /// activation beside its license's key, or a minted key.
    func ifProven(
        _ key: PresentedKey, activation: ActivationID, of product: ProductRef, from device: DeviceIdentity?
    ) async throws(ServerError) -> Outcome? {
        let (seen, looks, snapshot) = try await catalog.look(KeyedSeatLooks.asked(key, activation, of: product))
        guard let license = looks.provenLicense(for: key, of: product, in: seen) else { return nil }
        return try answer(license, seen[looks.seat.activation], from: device, under: snapshot)
    }

    private func answer(
        _ license: License, _ found: Activation?, from device: DeviceIdentity?, under snapshot: CatalogSnapshot
    ) throws(ServerError) -> Outcome {
        let now = clock.now()
        let answer = license.validate(
            found, from: device, under: try snapshot.policy(of: license), at: now)
        if let found, found.isLive, found.license == license.id,
            (device ?? found.identity).isSame(as: found.identity)
        {
            sightings.note(found.id, at: now)
        }
        return .answered(license, answer, snapshot)
    }

    private static let form = CatalogForm(goesFirst: true) { ask in
        (key: KeyLooks(&ask), activation: ask.row(Activation.table.key))
    }
}
