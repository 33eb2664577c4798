public import TenureCore

/// The transfer of a license to another holder, who gets a new key.
public struct LicenseTransfer: Sendable, Hashable {
    /// The new holder, as opaque text.
    public let holder: String
    /// The stored part of the new key.
    public let key: LicenseKey

    /// Creates a transfer to a holder, with the stored part of the new key.
    public init(to holder: String, key: LicenseKey) {
        self.holder = holder
        self.key = key
    }

    /// Transfers the license to another holder, who gets a new key.
    ///
    /// Refused if the license has been revoked or returned. Also refused if it belongs to that holder already, in any
    /// spelling, because the transfer would stop their devices needlessly.
    ///
    /// The former holder loses access: no key works for their devices any more, and all devices are released. Devices
    /// that were released earlier no longer count against the policy's device changes. The address and the name for
    /// letters are removed. Policy, term and order stay.
    ///
    /// - Parameters:
    ///   - activations: The license's activations; released ones are needed only if they still count against the
    ///     policy's device changes.
    ///   - formerKeys: The license's former keys that devices may still use.
    public func decide(
        on license: License, releasing activations: [Activation] = [], after formerKeys: [FormerKey] = [],
        by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if let present = license.holder, FoldedText(present) == FoldedText(holder) {
            return .refused(Refusal(.holderUnchanged))
        }
        switch KeyReplacement(with: key).decide(on: license, after: formerKeys, by: actor, at: now) {
        case .refused(let refusal): return .refused(refusal)
        case .granted(var consequences):
            let released = activations.filter(\.isLive)
            var transferred = consequences.license ?? license
            transferred.terms.holder = holder
            transferred.terms.holderEmail = nil
            transferred.terms.holderName = nil
            transferred.devicesCountUntil = nil
            consequences.license = transferred
            consequences.activations =
                released.map { $0.released(by: .operator, under: nil, at: now) }
                + activations.filter { $0.countsUntil != nil }.map(\.forgiven)
            consequences.events =
                [
                    Event(
                        .licenseTransferred, at: now, actor: actor, about: license.subject,
                        facts: [
                            .init("previousKey", .text(license.key.masked)), .init("key", .text(key.masked)),
                            .init("devices", .number(Int64(released.count))),
                        ])
                ]
                + released.map {
                    Event(.activationReleased, at: now, actor: actor, about: license.subject($0))
                }
            return .granted(consequences)
        }
    }
}

extension Activation {
    /// The released activation, which no longer counts against the limits.
    fileprivate var forgiven: Activation {
        var activation = self
        activation.countsUntil = nil
        return activation
    }
}
