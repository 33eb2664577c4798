import TenureCore
import TenureLicensing
import TenureServerKit

/// The requests of devices that both dialects serve, with a limit on wrong keys.
struct LicensingActs: Sendable {
    let context: LicensingContext
    let sightings: LastSeenWriter
    let trialLimit = TrialLimit()
    let wrongKeys: WrongKeys

    /// Activates a license on a device; returns `nil` and saves nothing if the call's catalog is outdated.
    func activate<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, from device: PresentedDevice, name: String
    ) async throws -> LicensingContext.ActivationOutcome? {
        if let wait = wait(call) {
            return try await activateOverLimit(key, for: call, from: device, name: name, retryAfter: wait)
        }
        let caller = call.caller
        return try await trying(key, call) { key in
            try await context.activate(key, of: caller.product.ref, for: device, name: name, under: caller.snapshot)
        } isUnknown: { outcome in
            if case .unknown = outcome { true } else { false }
        } rekeyed: { license, _ in
            .answered(license, .refused(Refusal(.licenseRekeyed), lease: nil, existing: nil))
        }
    }

    /// Reports whether a device's license is valid.
    func validate<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, activation: ActivationID,
        from device: DeviceIdentity? = nil
    ) async throws -> LicensingContext.ValidationOutcome {
        if let wait = wait(call) {
            return try await validateOverLimit(key, for: call, activation: activation, from: device, retryAfter: wait)
        }
        return try await trying(key, call) { key in
            try await context.validate(
                key, activation: activation, of: call.caller.product.ref, from: device, noting: sightings)
        } isUnknown: { outcome in
            if case .unknown = outcome { true } else { false }
        } rekeyed: { license, snapshot in
            .answered(license, .refused(Refusal(.licenseRekeyed), lease: nil), snapshot)
        }
    }

    /// Releases the device that the activation belongs to; returns `nil` once it's released.
    func release<Input>(
        _ activation: ActivationID, under key: PresentedKey, for call: Call<AppCaller, Input>,
        from device: DeviceIdentity
    ) async throws -> Refusal? {
        if let wait = wait(call) {
            return try await releaseOverLimit(activation, under: key, for: call, from: device, retryAfter: wait)
        }
        return try await trying(key, call) { key in
            try await context.deactivate(activation, under: key, of: call.caller.product.ref, from: device)
        } isUnknown: { refusal in
            refusal?.first.code == .licenseUnknown
        } rekeyed: { license, _ in
            // A device can release its activation even with a key that has since been replaced.
            try await context.deactivate(activation, under: license.id, from: device)
        }
    }

    /// Looks a key up among the current keys, then among the former ones; counts it as wrong if neither has it.
    private func trying<Input, Outcome>(
        _ key: PresentedKey, _ call: Call<AppCaller, Input>, _ query: (PresentedKey) async throws -> Outcome,
        isUnknown: (Outcome) -> Bool, rekeyed: (License, CatalogSnapshot) async throws -> Outcome
    ) async throws -> Outcome {
        let product = call.caller.product.ref
        let outcome = try await key.tried(isUnknown: isUnknown, query)
        guard isUnknown(outcome) else { return outcome }
        if let (license, snapshot) = try await context.findFormerKey(key, of: product) {
            return try await rekeyed(license, snapshot)
        }
        wrongKeys.count(call.request, for: product, at: context.clock.now())
        return outcome
    }
}
