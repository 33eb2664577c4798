public import TenureCore
public import TenureLicensing
public import TenureServerKit
import TenureStore

/// Tells a device whether its license is valid.
public struct ValidateLicense: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let sightings: LastSeenWriter

    /// The result of a validation.
    public enum Outcome: Sendable {
        /// The product has no license with that key.
        case unknown(Refusal)
        /// The decision about this license, under this catalog.
        case answered(License, ValidateAnswer, CatalogSnapshot)
    }

    /// Reads the license and the activation in one consistent query and evaluates the license's rules.
    ///
    /// It changes nothing except the time when the device was last seen, which is written in the background. If a
    /// device is given, it must be the one that was activated. Throws ``ServerError``; the call can be repeated after a
    /// transient one.
    public func callAsFunction(
        _ key: PresentedKey, activation: ActivationID, of product: ProductRef, from device: DeviceIdentity? = nil
    ) async throws(ServerError) -> Outcome {
        let asked = Self.form.asked(.init(key: .init(key: key, product: product), activation: activation))
        let (seen, looks, snapshot) = try await catalog.look(asked)
        guard let license = looks.key.license(in: seen) else { return .unknown(Refusal(.licenseUnknown)) }
        return try answer(license, seen[looks.activation], from: device, under: snapshot)
    }

    /// Validates in one query, for a caller that has sent too many unknown keys.
    ///
    /// Returns `nil` unless the request contains a live activation with its license's key, or a minted key.
    func ifProven(
        _ key: PresentedKey, activation: ActivationID, of product: ProductRef, from device: DeviceIdentity?
    ) async throws(ServerError) -> Outcome? {
        let (seen, looks, snapshot) = try await catalog.look(KeyedActivationQueries.asked(key, activation, of: product))
        guard let license = looks.provenLicense(for: key, of: product, in: seen) else { return nil }
        return try answer(license, seen[looks.record.activation], from: device, under: snapshot)
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

    private static let form = CatalogQueryPlan(goesFirst: true, for: KeyedActivationQueries.Parameters.self) { ask in
        (
            key: ask.part(KeyQueries.init) { $0.key },
            activation: ask.row(Activation.table.key) { [.of($0.activation)] }
        )
    }
}
