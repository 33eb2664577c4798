public import TenureCore
public import TenureServerKit
import TenureStore

/// Gives back a seat, for the device or for the operator.
public struct DeactivateLicense: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Decides under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// Releases the activation if it belongs to the product; durable before this returns.
    ///
    /// Repeating it changes nothing. Answers nil when there is no such activation there, so that nobody learns of
    /// another product's; otherwise whether it was this call that released it.
    /// Throws ``ServerError``: after a transient one the same call may be made again.
    public func callAsFunction(
        _ activation: ActivationID, of product: ProductRef, by actor: Actor
    ) async throws(ServerError) -> Bool? {
        try await release(activation, by: actor) { license in license.product == product }
    }

    /// The same for an operator, scoped to a tenant or to none: by the activation's own id, which lists told before
    /// there were public ones, or by its public id.
    public func callAsFunction(
        named id: ActivationID, ofTenant tenant: TenantID?, by actor: Actor
    ) async throws(ServerError) -> Bool? {
        let isMeant: @Sendable (License) -> Bool = { license in tenant.map { $0 == license.product.tenant } ?? true }
        if let changed = try await release(id, by: actor, of: isMeant) { return changed }
        return try await release(catalog.master.names.meant(id), by: actor, of: isMeant)
    }

    /// The same for a device that names its license too: nil when the place is free afterwards, else why it is not.
    ///
    /// A place that was never there is free. Refuses an unknown key, and another device than the place was given to.
    public func callAsFunction(
        _ activation: ActivationID, under key: PresentedKey, of product: ProductRef, from device: DeviceIdentity
    ) async throws(ServerError) -> Refusal? {
        let now = clock.now()
        let hashes = [key.hash, key.lookAlikeHash].compactMap(\.self)
        let asked = KeyedSeatLooks.form.asked(all: KeyLooks.values(key, of: product) + [.of(activation)])
        return try await catalog.perform(asked) { seen, looks, snapshot in
            guard let license = seen[looks.seat.license], let seat = seen[looks.seat.activation],
                license.product == product, hashes.contains(license.key.hash)
            else { return Saving(looks.key.license(in: seen) == nil ? Refusal(.licenseUnknown) : nil) }
            let decision = license.deactivate(seat, from: device, under: snapshot.knownPolicy(of: license), at: now)
            return Saving(decision.refusal, decision.outcome.map { [Save]($0, over: license, seat) } ?? [])
        }
    }

    /// What a device is told that gives its place back.
    enum Release: Sendable {
        /// The place is free.
        case free
        /// It isn't, and why.
        case refused(Refusal)
    }

    /// The same in one look-up, for a caller that has sent too many unknown keys. Nil, and nothing changes, unless the
    /// request shows a live activation beside its license's key, or a minted key.
    func ifProven(
        _ activation: ActivationID, under key: PresentedKey, of product: ProductRef, from device: DeviceIdentity
    ) async throws(ServerError) -> Release? {
        let now = clock.now()
        return try await catalog.perform(KeyedSeatLooks.asked(key, activation, of: product)) { seen, looks, snapshot in
            guard let license = looks.provenLicense(for: key, of: product, in: seen) else { return Saving(nil) }
            guard let seat = seen[looks.seat.activation], seat.license == license.id else { return Saving(.free) }
            let decision = license.deactivate(seat, from: device, under: snapshot.knownPolicy(of: license), at: now)
            return Saving(
                decision.refusal.map(Release.refused) ?? .free,
                decision.outcome.map { [Save]($0, over: license, seat) } ?? [])
        }
    }

    /// The same under a license that is known already: by a key that it had before.
    func callAsFunction(
        _ activation: ActivationID, under license: LicenseID, from device: DeviceIdentity
    ) async throws(ServerError) -> Refusal? {
        let now = clock.now()
        return try await catalog.perform(SeatLooks.form.asked(.of(activation))) { seen, looks, snapshot in
            guard let found = seen[looks.license], found.id == license, let seat = seen[looks.activation] else {
                return Saving(nil)
            }
            let decision = found.deactivate(seat, from: device, under: snapshot.knownPolicy(of: found), at: now)
            return Saving(decision.refusal, decision.outcome.map { [Save]($0, over: found, seat) } ?? [])
        }
    }

    private func release(
        _ activation: ActivationID, by actor: Actor, of isMeant: @escaping @Sendable (License) -> Bool
    ) async throws(ServerError) -> Bool? {
        let now = clock.now()
        return try await catalog.perform(SeatLooks.form.asked(.of(activation))) { seen, looks, snapshot in
            guard let license = seen[looks.license], let seat = seen[looks.activation], isMeant(license) else {
                return Saving(nil)
            }
            let consequences = license.deactivate(
                seat, by: actor, under: snapshot.knownPolicy(of: license), at: now)
            return Saving(!consequences.isEmpty, [Save](consequences, over: license, seat))
        }
    }
}
