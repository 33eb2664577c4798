import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The requests of devices that both dialects serve, with a limit on wrong keys.
struct LicensingActs: Sendable {
    let context: LicensingContext
    let sightings: LastSeenWriter
    let trialLimit = TrialLimit()
    let wrongKeys: WrongKeys

    /// Activates a license on a device.
    func activate<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, from device: PresentedDevice
    ) async throws -> LicensingContext.ActivationOutcome {
        let key = key.under(call.caller.product.keyPrefix)
        let attempt: WrongKeys.Attempt?
        switch begin(key, call) {
        case .admitted(let admitted): attempt = admitted
        case .refused(let wait):
            return try await activateOverLimit(key, for: call, from: device, retryAfter: wait)
        }
        let caller = call.caller
        let outcome = try await key.tried(isUnknown: \.isUnknown) { key in
            try await context.activate(
                key, of: caller.product.ref, for: device, under: caller.snapshot, noting: sightings)
        }
        if outcome.isActivated { return outcome }
        if !outcome.isUnknown { return try await explained(outcome, under: caller.snapshot) }
        return try await activateByFormerKey(key, for: call, from: device, attempt) ?? outcome
    }

    // The rare cases aren't inlined. Otherwise, an asynchronous function would reserve the memory of all its cases,
    // here 23 KB, for each activation.

    /// Decides on an activation with a key that is no license's current key; returns `nil` if it's no former key
    /// either.
    @inline(never)
    private func activateByFormerKey<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, from device: PresentedDevice,
        _ attempt: WrongKeys.Attempt?
    ) async throws -> LicensingContext.ActivationOutcome? {
        let snapshot = call.caller.snapshot
        return try await context.catalog.reading(under: snapshot) { reads in
            guard let former = try identify(key, call, attempt, &reads) else { return nil }
            return try context.activate(former, for: device, under: snapshot, &reads, noting: sightings)
        }
    }

    /// Adds to a refused activation the reasons that operators gave and that the holder may read.
    @inline(never)
    private func explained(
        _ outcome: LicensingContext.ActivationOutcome, under snapshot: CatalogSnapshot
    ) async throws -> LicensingContext.ActivationOutcome {
        guard case .answered(let license, .refused(let refusal, let lease, let existing)) = outcome else {
            return outcome
        }
        let explained = try await context.catalog.reading(under: snapshot) { reads in
            try telling(refusal, about: license, to: existing?.id, &reads)
        }
        return .answered(license, .refused(explained, lease: lease, existing: existing))
    }

    /// Decides whether a device may continue to use its license. A refusal may come with a `fallback` or `expired`
    /// lease.
    func validate<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, activation: ActivationID,
        from device: PresentedDevice? = nil, under snapshot: CatalogSnapshot, _ reads: inout StoreReads
    ) throws -> LicensingContext.ValidationOutcome {
        let key = key.under(call.caller.product.keyPrefix)
        var attempt = reads.held as? WrongKeys.Attempt
        if attempt == nil {
            switch begin(key, call) {
            case .admitted(let admitted): attempt = admitted
            case .refused(let wait):
                return try validateOverLimit(
                    key, for: call, activation: activation, from: device, under: snapshot, &reads, retryAfter: wait)
            }
            // While a read is pending, the attempt must stay counted.
            reads.held = attempt
        }
        defer { withExtendedLifetime(attempt) {} }
        let outcome = try key.tried(isUnknown: \.isUnknown) { key in
            try context.validate(
                key, activation: activation, of: call.caller.product.ref, from: device, under: snapshot, &reads,
                noting: sightings)
        }
        if case .answered(_, .refused(let refusal, _), _) = outcome {
            if refusal.isOfUnknownActivation { try context.catalog.checkLoss() }
            return try explained(outcome, activation, &reads)
        }
        guard outcome.isUnknown, let former = try identify(key, naming: activation, call, attempt, &reads)
        else { return outcome }
        if former.activation == nil { try context.catalog.checkLoss() }
        return try explained(
            context.validate(former, from: device, under: snapshot, noting: sightings), activation, &reads)
    }

    /// Releases the device that the activation belongs to; returns `nil` once it's released.
    func release<Input>(
        _ activation: ActivationID, under key: PresentedKey, for call: Call<AppCaller, Input>,
        from device: DeviceIdentity
    ) async throws -> Refusal? {
        let key = key.under(call.caller.product.keyPrefix)
        let attempt: WrongKeys.Attempt?
        switch begin(key, call) {
        case .admitted(let admitted): attempt = admitted
        case .refused(let wait):
            return try await releaseOverLimit(activation, under: key, for: call, from: device, retryAfter: wait)
        }
        let (product, snapshot) = (call.caller.product.ref, call.caller.snapshot)
        let refusal = try await key.tried(isUnknown: { $0?.first.code == .licenseUnknown }) { key in
            try await context.deactivate(activation, under: key, of: product, from: device, under: snapshot)
        }
        guard refusal?.first.code == .licenseUnknown else { return refusal }
        let former = try await context.catalog.reading(under: snapshot) { reads in
            try identify(key, call, attempt, &reads)
        }
        guard let former else { return refusal }
        return try await context.deactivate(activation, with: former.key, from: device, under: snapshot)
    }

    /// Adds to a refused validation the reasons that operators gave and that the holder may read.
    private func explained(
        _ outcome: LicensingContext.ValidationOutcome, _ activation: ActivationID, _ reads: inout StoreReads
    ) throws -> LicensingContext.ValidationOutcome {
        guard case .answered(let license, .refused(let refusal, let lease), let snapshot) = outcome else {
            return outcome
        }
        let explained = try telling(refusal, about: license, to: activation, &reads)
        return .answered(license, .refused(explained, lease: lease), snapshot)
    }

    /// Looks up an unknown key among the former ones; counts it as wrong if it isn't one of them.
    private func identify<Input>(
        _ key: PresentedKey, naming activation: ActivationID? = nil, _ call: Call<AppCaller, Input>,
        _ attempt: WrongKeys.Attempt?, _ reads: inout StoreReads
    ) throws -> FormerKeyMatch? {
        let product = call.caller.product.ref
        if let former = try context.findFormerKey(key, of: product, activation: activation, &reads) { return former }
        if let wait = wrongKeys.count(attempt, for: product, at: context.clock.now()) {
            throw WrongKeys.tooMany(retryAfter: wait)
        }
        return nil
    }
}

extension Refusal {
    /// Whether the activation isn't in the store; the refusal for a released one contains a date.
    var isOfUnknownActivation: Bool {
        first.code == .activationReleased && !first.evidence.contains { $0.name == "releasedAt" }
    }
}

extension LicensingActs {
    /// Adds to a refusal about a license the reasons that operators gave and that the holder may read.
    ///
    /// Events are read only if the license is stopped or the device was released. Throws ``ServerError``, and what its
    /// reads throw.
    func telling(
        _ refusal: Refusal, about license: License, to activation: ActivationID?, _ reads: inout StoreReads
    ) throws -> Refusal {
        guard refusal.mayBeTold else { return refusal }
        let events = try reads.fetch(Self.plan.bind(license))[Self.plan.queries].map(\.event)
        return refusal.telling(events, to: activation)
    }

    /// The license's newest events.
    ///
    /// The owner of a license can cause any number of events, so a refusal doesn't search all of them.
    private static let plan = QueryPlan(for: License.self) { query in
        query.rows(EventRecord.newestOfLicense, upTo: 100) { [.of($0.id), .of($0.product.tenant)] }
    }
}
