public import TenureCore

/// The replacement of a license's key by another one.
public struct KeyReplacement: Sendable, Hashable {
    /// The new key.
    public let key: LicenseKey
    /// The devices that may continue to use the old key.
    public let kept: KeptDevices

    /// Creates a replacement from its parts.
    public init(with key: LicenseKey, keeping kept: KeptDevices = .none) {
        self.key = key
        self.kept = kept
    }

    /// Replaces the license's key; refused if the license has been revoked or returned.
    ///
    /// The activations stay, and a device can always activate with the new key. The old key is remembered, so that its
    /// users can be told that it was replaced, and with it the devices that may continue to use it.
    ///
    /// - Parameter formerKeys: The license's former keys that devices may still use.
    public func decide(
        on license: License, after formerKeys: [FormerKey] = [], by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = License.chart.end(in: license.recordedState) { return .refused(refusal) }
        var rekeyed = license
        rekeyed.key = key
        let limit = kept.limit(at: now)
        var consequences = license.recording(
            .licenseRekeyed, rekeyed, by: actor, at: now,
            [.init("previousKey", .text(license.key.masked)), .init("key", .text(key.masked))]
                + (limit.map { [.init("keepsActivatedBefore", .date($0))] } ?? []))
        consequences.formerKeys = formerKeys.filter { $0.hash != license.key.hash }.compactMap {
            $0.narrowed(to: limit)
        }
        if key.hash != license.key.hash {
            consequences.formerKeys.append(
                FormerKey(
                    product: license.product, key: license.key, license: license.id, replacedAt: now, replacedBy: actor,
                    activatedBefore: limit))
        }
        return .granted(consequences)
    }
}
