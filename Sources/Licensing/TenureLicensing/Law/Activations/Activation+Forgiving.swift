public import TenureCore

/// The changes that stop counting a license's released devices against its limit for different devices.
public struct ForgivenDevices: Sendable, Hashable {
    /// The license to save, and the event; empty if nothing changes.
    public let consequences: Consequences
    /// The released activations to save, in the order in which they were given.
    public let activations: [Activation]
    /// How many of the released devices counted against the limit before these changes.
    public let devices: Int
}

extension Activation {
    /// Stops counting a license's released devices against its limit for different devices.
    ///
    /// Active devices are still counted. Refused if the license has been revoked or returned.
    ///
    /// - Parameters:
    ///   - released: Released activations of the license with a ``countsUntil``.
    ///   - isRest: Whether `released` contains all such activations, or the last of them.
    public static func forgive(
        _ released: [Activation], isRest: Bool, of license: License, by actor: Actor, at now: Timestamp
    ) -> Decision<ForgivenDevices> {
        if let refusal = License.chart.end(in: license.recordedState) { return .refused(refusal) }
        let devices = released.count { activation in activation.countsUntil.map { $0 > now } ?? false }
        var consequences = Consequences.none
        if isRest, license.devicesCountUntil != nil {
            var forgiven = license
            forgiven.devicesCountUntil = nil
            consequences.license = forgiven
        }
        if devices > 0 {
            consequences.events = [
                Event(
                    .licenseDevicesForgiven, at: now, actor: actor, about: license.subject,
                    facts: [.init("devices", .number(Int64(devices)))])
            ]
        }
        let activations = released.map { activation in
            var forgiven = activation
            forgiven.countsUntil = nil
            return forgiven
        }
        return .granted(ForgivenDevices(consequences: consequences, activations: activations, devices: devices))
    }
}
