import TenureCore
import TenureLicensing
import TenureServerKit

// Handles requests from callers that have sent too many unknown keys, or that share such a caller's address.
//
// Requests that a guesser couldn't have sent are served as usual, so an attacker can't lock out others behind the same
// address. Such a request contains a key with a live activation of its license, or a correct minted key.
//
// All other requests must wait, whether their key is right or wrong. Otherwise the responses would reveal which guessed
// key is right. Nothing is counted, and at most one query is made, so refusals don't contain the reasons that the
// vendor gave for the holder.

extension LicensingActs {
    /// Counts one of the caller's attempts before the key is looked up.
    func begin<Input>(_ key: PresentedKey, _ call: Call<AppCaller, Input>) -> WrongKeys.Permission {
        wrongKeys.begin(call.request, for: call.caller.product.ref, key: key.hash, at: context.clock.now())
    }

    @inline(never)
    func activateOverLimit<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, from device: PresentedDevice,
        retryAfter wait: Int64
    ) async throws -> LicensingContext.ActivationOutcome {
        guard let minted = key.minted else { throw WrongKeys.tooMany(retryAfter: wait) }
        let caller = call.caller
        let outcome = try await context.activate(
            minted, of: caller.product.ref, for: device, under: caller.snapshot, noting: sightings)
        if case .unknown = outcome { throw WrongKeys.tooMany(retryAfter: wait) }
        return outcome
    }

    func validateOverLimit<Input>(
        _ key: PresentedKey, for call: Call<AppCaller, Input>, activation: ActivationID, from device: PresentedDevice?,
        under snapshot: CatalogSnapshot, _ reads: inout StoreReads, retryAfter wait: Int64
    ) throws -> LicensingContext.ValidationOutcome {
        let outcome = try context.validateIfProven(
            key, activation: activation, of: call.caller.product.ref, from: device, under: snapshot, &reads,
            noting: sightings)
        guard let outcome else { throw WrongKeys.tooMany(retryAfter: wait) }
        if case .answered(_, .refused(let refusal, _), _) = outcome, refusal.isOfUnknownActivation {
            try context.catalog.checkLoss()
        }
        return outcome
    }

    func releaseOverLimit<Input>(
        _ activation: ActivationID, under key: PresentedKey, for call: Call<AppCaller, Input>,
        from device: DeviceIdentity, retryAfter wait: Int64
    ) async throws -> Refusal? {
        let released = try await context.deactivateIfProven(
            activation, under: key, of: call.caller.product.ref, from: device, under: call.caller.snapshot)
        switch released {
        case .free: return nil
        case .refused(let refusal): return refusal
        case nil: throw WrongKeys.tooMany(retryAfter: wait)
        }
    }
}
