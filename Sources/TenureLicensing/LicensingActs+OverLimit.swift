import TenureCore
import TenureServerKit

// What callers get that have sent too many unknown keys, or share their address with somebody who has.
//
// Whatever a guesser could not have sent is answered as ever, so that nobody can stop the neighbours behind an address:
// a key with a live activation of its license, and a right key that was minted. Everything else waits, right or wrong:
// otherwise the answers would tell which guessed key is right. Nothing is counted, and at most one look-up is made.

extension LicensingActs {
    /// Seconds until the caller may try keys again; nil if it may do so now.
    func wait<Input>(_ call: Call<AppPlace, Input>) -> Int64? {
        wrongKeys.wait(call.request, for: call.place.product.ref, at: clock.now())
    }

    func activateOverLimit<Input>(
        _ key: PresentedKey, for call: Call<AppPlace, Input>, from device: PresentedDevice, name: String,
        retryAfter wait: Int64
    ) async throws -> ActivateLicense.Outcome? {
        guard let minted = key.minted else { throw WrongKeys.tooMany(retryAfter: wait) }
        let place = call.place
        let outcome = try await activation(
            minted, of: place.product.ref, for: device, name: name, under: place.snapshot)
        if case .unknown = outcome { throw WrongKeys.tooMany(retryAfter: wait) }
        return outcome
    }

    func validateOverLimit<Input>(
        _ key: PresentedKey, for call: Call<AppPlace, Input>, activation: ActivationID, from device: DeviceIdentity?,
        retryAfter wait: Int64
    ) async throws -> ValidateLicense.Outcome {
        let outcome = try await validation.ifProven(
            key, activation: activation, of: call.place.product.ref, from: device)
        guard let outcome else { throw WrongKeys.tooMany(retryAfter: wait) }
        return outcome
    }

    func releaseOverLimit<Input>(
        _ activation: ActivationID, under key: PresentedKey, for call: Call<AppPlace, Input>,
        from device: DeviceIdentity, retryAfter wait: Int64
    ) async throws -> Refusal? {
        let released = try await deactivate.ifProven(
            activation, under: key, of: call.place.product.ref, from: device)
        switch released {
        case .free: return nil
        case .refused(let refusal): return refusal
        case nil: throw WrongKeys.tooMany(retryAfter: wait)
        }
    }
}
