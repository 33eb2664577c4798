public import TenureCore

/// The replacement of a license's key by another one.
public struct KeyReplacement: Sendable, Hashable {
    /// The stored part of the new key.
    public let key: LicenseKey
    /// What the new key was derived from; `nil` for a random key.
    public let derivation: LicenseKey.Derivation?
    /// The devices that may continue to use the old key.
    public let devices: KeptDevices

    /// Creates a replacement; by default, no device may continue to use the old key.
    public init(with key: LicenseKey, derivation: LicenseKey.Derivation? = nil, keeping devices: KeptDevices = .none) {
        self.key = key
        self.derivation = derivation
        self.devices = devices
    }

    /// Replaces the license's key; refused if the license has been revoked or returned.
    ///
    /// The activations stay, and a device can always activate with the new key. The old key is stored as a former key,
    /// so that its users can learn that it was replaced. The former key also records which devices may continue to use
    /// it.
    ///
    /// - Parameter formerKeys: The license's former keys that devices may still use.
    public func decide(
        on license: License, after formerKeys: [FormerKey] = [], by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = License.chart.end(in: license.recordedState) { return .refused(refusal) }
        var rekeyed = license
        Self.set(key, derivation, of: &rekeyed)
        let limit = devices.limit(at: now)
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

extension KeyReplacement {
    /// Replaces the license's key. A random key has no derivation, so the license keeps its generation.
    static func set(_ key: LicenseKey, _ derivation: LicenseKey.Derivation?, of license: inout License) {
        license.key = key
        license.keyRoot = derivation?.root
        license.keyGeneration = derivation?.generation ?? license.keyGeneration
    }

    /// Raises the license's generation to one with which another state of the store has derived a key.
    ///
    /// The current key then can't be derived again. A generation that isn't higher changes nothing.
    static func raiseGeneration(to generation: Int, of license: inout License) {
        guard generation > license.keyGeneration else { return }
        (license.keyRoot, license.keyGeneration) = (nil, generation)
    }
}
