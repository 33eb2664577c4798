import TenureCore
import TenureLicensing
import TenureServerKit

/// The requests of devices that both dialects serve, with a limit on wrong keys.
struct LicensingActs: Sendable {
    let context: LicensingContext
    let sightings: LastSeenWriter
    let trialLimit = TrialLimit()
    let wrongKeys: WrongKeys

    /// Activates a license on a device.
    func activate<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, from device: PresentedDevice,
        _ changes: inout StoreChanges
    ) throws -> LicensingContext.ActivationOutcome {
        let key = key.under(call.caller.product.keyPrefix)
        let attempt: WrongKeys.Attempt?
        switch changes.once({ begin(key, call) }) {
        case .admitted(let admitted): attempt = admitted
        case .refused(let wait):
            return try activateOverLimit(key, for: call, from: device, &changes, retryAfter: wait)
        }
        let caller = call.caller
        let outcome = try key.tried(isUnknown: \.isUnknown) { key in
            try context.activate(
                key, of: caller.product.ref, for: device, under: caller.snapshot, &changes, noting: sightings)
        }
        if case .answered(let license, .refused(let refusal, let lease, let existing)) = outcome {
            let told = try telling(refusal, about: license, to: existing?.id, &changes.reads)
            return .answered(license, .refused(told, lease: lease, existing: existing))
        }
        guard outcome.isUnknown, let former = try identify(key, call, attempt, &changes.reads) else { return outcome }
        return try formerKeys.activate(
            former, for: device, under: caller.snapshot, &changes.reads, noting: sightings)
    }

    /// Reports whether a device's license is valid.
    func validate<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, activation: ActivationID,
        from device: PresentedDevice? = nil, under snapshot: CatalogSnapshot, _ reads: inout StoreReads
    ) throws -> LicensingContext.ValidationOutcome {
        let key = key.under(call.caller.product.keyPrefix)
        let attempt: WrongKeys.Attempt?
        switch begin(key, call) {
        case .admitted(let admitted): attempt = admitted
        case .refused(let wait):
            return try validateOverLimit(
                key, for: call, activation: activation, from: device, under: snapshot, &reads, retryAfter: wait)
        }
        defer { withExtendedLifetime(attempt) {} }
        let outcome = try key.tried(isUnknown: \.isUnknown) { key in
            try context.validate(
                key, activation: activation, of: call.caller.product.ref, from: device, under: snapshot, &reads,
                noting: sightings)
        }
        if case .answered(_, .refused(let refusal, _), _) = outcome {
            if refusal.isOfUnknownActivation { try context.catalog.checkLoss() }
            return try told(outcome, activation, &reads)
        }
        guard outcome.isUnknown else { return outcome }
        guard let former = try identify(key, naming: activation, call, attempt, &reads) else {
            try context.catalog.checkLoss()
            return outcome
        }
        return try told(
            formerKeys.validate(former, from: device, under: snapshot, noting: sightings), activation, &reads)
    }

    /// Releases the device that the activation belongs to; returns `nil` once it's released.
    func release<Input>(
        _ activation: ActivationID, under key: PresentedKey, for call: Call<AppCaller, Input>,
        from device: DeviceIdentity, _ changes: inout StoreChanges
    ) throws -> Refusal? {
        let key = key.under(call.caller.product.keyPrefix)
        let attempt: WrongKeys.Attempt?
        switch changes.once({ begin(key, call) }) {
        case .admitted(let admitted): attempt = admitted
        case .refused(let wait):
            return try releaseOverLimit(activation, under: key, for: call, from: device, &changes, retryAfter: wait)
        }
        let (product, snapshot) = (call.caller.product.ref, call.caller.snapshot)
        let refusal = try key.tried(isUnknown: { $0?.first.code == .licenseUnknown }) { key in
            try context.deactivate(
                activation, under: key, of: product, from: device, under: snapshot, &changes)
        }
        guard refusal?.first.code == .licenseUnknown, let former = try identify(key, call, attempt, &changes.reads)
        else { return refusal }
        return try formerKeys.deactivate(activation, with: former.key, from: device, under: snapshot, &changes)
    }

    private var formerKeys: FormerKeyRequests { FormerKeyRequests(context: context) }

    /// Adds what operators told the holder to a refused validation.
    private func told(
        _ outcome: LicensingContext.ValidationOutcome, _ activation: ActivationID, _ reads: inout StoreReads
    ) throws -> LicensingContext.ValidationOutcome {
        guard case .answered(let license, .refused(let refusal, let lease), let snapshot) = outcome else {
            return outcome
        }
        let told = try telling(refusal, about: license, to: activation, &reads)
        return .answered(license, .refused(told, lease: lease), snapshot)
    }

    /// Looks an unknown key up among the former ones; counts it as wrong if no license had it.
    private func identify<Input>(
        _ key: PresentedKey, naming activation: ActivationID? = nil, _ call: Call<AppCaller, Input>,
        _ attempt: WrongKeys.Attempt?, _ reads: inout StoreReads
    ) throws -> FormerKeyRequests.Found? {
        let product = call.caller.product.ref
        if let former = try formerKeys.find(key, of: product, activation: activation, &reads) { return former }
        if let wait = wrongKeys.count(attempt, for: product, at: context.clock.now()) {
            throw WrongKeys.tooMany(retryAfter: wait)
        }
        return nil
    }
}

extension Refusal {
    /// Whether the store doesn't have the activation; a released one has a date.
    fileprivate var isOfUnknownActivation: Bool {
        first.code == .activationReleased && !first.evidence.contains { $0.name == "releasedAt" }
    }
}
