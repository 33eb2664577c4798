import TenureClient

extension LicenseService {
    /// Activates a license key without reporting a system.
    func activate(key: String, name: String, freeTier: String?) async -> Answer<LeaseGrant> {
        await activate(key: key, name: name, system: nil, freeTier: freeTier)
    }

    /// Requests a new lease without reporting a system.
    func renew(_ activation: HeldActivation, notBefore: Moment?) async -> Answer<LeaseGrant> {
        await renew(activation, notBefore: notBefore, name: nil, reporting: nil)
    }

    /// Restores a stored keyset, as a launch does.
    func trust(keyset: [UInt8]) { _ = trust(keyset: keyset, ifUnchangedSince: self.keyset()) }
}
