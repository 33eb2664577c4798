import TenureCore
import TenureServerKit

/// What devices ask for in both dialects, with the same answers.
struct LicensingActs: Sendable {
    let activation: ActivateLicense
    let validation: ValidateLicense
    let deactivate: DeactivateLicense
    let trial: StartTrial
    let listDevices: ListDevices
    let releaseByHolder: ReleaseByHolder

    /// Takes a place of a license; nil, and nothing is saved, when the catalog is no longer the call's.
    func activate<Input>(
        _ key: PresentedKey, for call: Call<AppPlace, Input>, identity: DeviceIdentity, name: String
    ) async throws -> ActivateLicense.Outcome? {
        let place = call.place
        return try await activation(
            key, of: place.product.ref, identity: identity, name: name, under: place.snapshot)
    }

    /// Tells a device whether it may go on.
    func validate<Input>(
        _ key: PresentedKey, for call: Call<AppPlace, Input>, activation: ActivationID,
        from device: DeviceIdentity? = nil
    ) async throws -> ValidateLicense.Outcome {
        try await validation(key, activation: activation, of: call.place.product.ref, from: device)
    }

    /// Frees a place for the device that it was given to; nil when it is free afterwards.
    func release<Input>(
        _ activation: ActivationID, under key: PresentedKey, for call: Call<AppPlace, Input>,
        from device: DeviceIdentity
    ) async throws -> Refusal? {
        try await deactivate(activation, under: key, of: call.place.product.ref, from: device)
    }
}
