import TenureCore
import TenureServerKit

/// What devices ask for in both dialects, with the same answers, and the bound on the keys that they try.
struct LicensingActs: Sendable {
    let activation: ActivateLicense
    let validation: ValidateLicense
    let deactivate: DeactivateLicense
    let trial: StartTrial
    let listDevices: ListDevices
    let releaseByHolder: ReleaseByHolder
    let wrongKeys: WrongKeys
    let clock: any WallClock

    /// Takes a place of a license; nil, and nothing is saved, when the catalog is no longer the call's.
    func activate<Input>(
        _ key: PresentedKey, for call: Call<AppPlace, Input>, from device: PresentedDevice, name: String
    ) async throws -> ActivateLicense.Outcome? {
        let place = call.place
        return try await trying(key, call) { key in
            try await activation(key, of: place.product.ref, for: device, name: name, under: place.snapshot)
        } isUnknown: { outcome in
            if case .unknown = outcome { true } else { false }
        }
    }

    /// Tells a device whether it may go on.
    func validate<Input>(
        _ key: PresentedKey, for call: Call<AppPlace, Input>, activation: ActivationID,
        from device: DeviceIdentity? = nil
    ) async throws -> ValidateLicense.Outcome {
        try await trying(key, call) { key in
            try await validation(key, activation: activation, of: call.place.product.ref, from: device)
        } isUnknown: { outcome in
            if case .unknown = outcome { true } else { false }
        }
    }

    /// Frees a place for the device that it was given to; nil when it is free afterwards.
    func release<Input>(
        _ activation: ActivationID, under key: PresentedKey, for call: Call<AppPlace, Input>,
        from device: DeviceIdentity
    ) async throws -> Refusal? {
        try await trying(key, call) { key in
            try await deactivate(activation, under: key, of: call.place.product.ref, from: device)
        } isUnknown: { refusal in
            refusal?.first.code == .licenseUnknown
        }
    }

    /// Looks for a key unless too many that nobody has were tried, and counts it if it is another of these.
    private func trying<Input, Outcome>(
        _ key: PresentedKey, _ call: Call<AppPlace, Input>, _ look: (PresentedKey) async throws -> Outcome,
        isUnknown: (Outcome) -> Bool
    ) async throws -> Outcome {
        let product = call.place.product.ref
        try wrongKeys.check(call.request, for: product, at: clock.now())
        let outcome = try await key.tried(isUnknown: isUnknown, look)
        if isUnknown(outcome) { wrongKeys.count(call.request, for: product, at: clock.now()) }
        return outcome
    }
}
