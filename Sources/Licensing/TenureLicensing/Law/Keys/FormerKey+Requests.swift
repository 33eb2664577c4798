public import TenureCore

// Decisions on requests with a replaced key. Documentation/license-states.md has the table, which the tests read.

extension FormerKey {
    /// Decides whether a device may continue to use the license with a key that has been replaced.
    ///
    /// A device that the replacement kept gets the same response as with the current key. Every other device is refused
    /// with `license_rekeyed`.
    ///
    /// - Parameters:
    ///   - found: The license that the key last belonged to.
    ///   - activation: The activation whose id the device sent, if the store contains it.
    ///   - device: The identity of the requesting device; `nil` in dialects that send only the activation's id.
    public func validate(
        _ activation: Activation?, of found: License, from device: DeviceIdentity? = nil, under policy: Policy,
        at now: Timestamp
    ) -> License.ValidationAnswer {
        guard let activation, license == found.id, keeps(activation),
            device.map({ $0.isSame(as: activation.identity) }) ?? true
        else { return .refused(Refusal(.licenseRekeyed), lease: nil) }
        return found.validate(activation, from: device, under: policy, at: now)
    }

    /// Decides whether a device may activate the license with a key that has been replaced.
    ///
    /// A device that the replacement kept gets its existing activation again. There is never a new activation.
    ///
    /// - Parameter existing: The device's own live activation, if it has one.
    public func activate(
        _ attempt: License.ActivationAttempt, of found: License, existing: Activation?, under policy: Policy,
        at now: Timestamp
    ) -> License.ActivationAnswer {
        guard let existing, license == found.id, keeps(existing), attempt.isFrom(existing, at: now) else {
            return .refused(Refusal(.licenseRekeyed), lease: nil, existing: nil)
        }
        return found.activate(
            attempt, activations: License.Activations(activeCount: 0, existing: existing), under: policy, at: now)
    }

    /// Releases the requesting device, which uses a replaced key.
    ///
    /// Every device can release its own activation, whichever key it has; refused for another device's activation.
    public func deactivate(
        _ activation: Activation, of found: License, from device: DeviceIdentity, under policy: Policy?,
        at now: Timestamp
    ) -> Decision<Consequences> {
        guard license == found.id, !activation.isLive || activation.identity.isSame(as: device) else {
            return .refused(Refusal(.licenseRekeyed))
        }
        return found.deactivate(activation, from: device, under: policy, at: now)
    }
}

extension Consequences {
    /// Whether these changes end the links to a license's page and its sessions.
    ///
    /// The links and sessions were given to the earlier holder, or to a person with the earlier key.
    ///
    /// - Parameter before: The license before the changes.
    package func endSessions(of before: License) -> Bool {
        guard let license else { return false }
        return license.key.hash != before.key.hash || license.holder != before.holder
            || license.terms.letterAddress != before.terms.letterAddress
    }
}
