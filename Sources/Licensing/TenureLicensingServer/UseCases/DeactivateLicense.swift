import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Releases the activation if it belongs to the product; durable before this returns.
    ///
    /// Returns whether this call released it, and `nil` if the product has no such activation, which hides those of
    /// other products. Throws ``ServerError``, and what its changes throw; the call can be repeated after a transient
    /// error.
    func deactivate(
        _ activation: ActivationID, of product: ProductRef, by actor: Actor, under snapshot: CatalogSnapshot,
        _ changes: inout StoreChanges
    ) throws -> Bool? {
        try release(activation, by: actor, under: snapshot, &changes) { license in license.product == product }
    }

    /// Releases an activation for an operator, within one tenant or, if `tenant` is `nil`, within all.
    ///
    /// The id is the activation's own, which older lists showed, or its public one. The event keeps the reason.
    func deactivate(
        named id: ActivationID, because reason: StatedReason? = nil, ofTenant tenant: TenantID?, by actor: Actor
    ) async throws -> Bool? {
        let isMeant: @Sendable (License) -> Bool = { license in tenant.map { $0 == license.product.tenant } ?? true }
        return try await catalog.changing { snapshot, changes in
            if let changed = try release(
                id, because: reason, by: actor, under: snapshot, &changes, of: isMeant)
            {
                return changed
            }
            return try release(
                catalog.master.names.meant(id), because: reason, by: actor, under: snapshot, &changes, of: isMeant)
        }
    }

    /// Releases a device that also sends its license's key; returns `nil` once it's released.
    ///
    /// An activation that never existed counts as released. An unknown key or another device's activation is refused.
    func deactivate(
        _ activation: ActivationID, under key: PresentedKey, of product: ProductRef, from device: DeviceIdentity,
        under snapshot: CatalogSnapshot, _ changes: inout StoreChanges
    ) throws -> Refusal? {
        let now = clock.now()
        let hashes = [key.hash, key.lookAlikeHash].compactMap(\.self)
        let bound = KeyedActivationQueries.plan.bind(
            .init(key: .init(key: key, product: product), activation: activation))
        return try changes.perform(bound) { results, queries in
            guard let license = results[queries.record.license], let record = results[queries.record.activation],
                license.product == product, hashes.contains(license.key.hash)
            else { return TransactionResult(queries.key.license(in: results) == nil ? Refusal(.licenseUnknown) : nil) }
            let decision = license.deactivate(record, from: device, under: snapshot.knownPolicy(of: license), at: now)
            return TransactionResult(
                decision.refusal, decision.outcome.map { [RowWrite]($0, over: license, record) } ?? [])
        }
    }

    /// The result of a device's own release.
    enum ReleaseOutcome: Sendable {
        /// The device is released.
        case free
        /// The release is refused.
        case refused(Refusal)
    }

    /// Releases a device for a caller that has sent too many unknown keys, in one query for every guesser.
    ///
    /// Returns `nil` and changes nothing unless the request contains a live activation with its license's key or a
    /// former one, or a minted key.
    func deactivateIfProven(
        _ activation: ActivationID, under key: PresentedKey, of product: ProductRef, from device: DeviceIdentity,
        under snapshot: CatalogSnapshot, _ changes: inout StoreChanges
    ) throws -> ReleaseOutcome? {
        let now = clock.now()
        let attempt = try changes.perform(KeyedActivationQueries.bind(key, activation, of: product)) {
            (results, queries) -> TransactionResult<(outcome: ReleaseOutcome?, mayHaveFormerKey: Bool)> in
            guard let license = queries.provenLicense(for: key, of: product, in: results) else {
                return TransactionResult((nil, queries.liveLicense(of: product, in: results) != nil))
            }
            guard let record = results[queries.record.activation], record.license == license.id else {
                return TransactionResult((.free, false))
            }
            let decision = license.deactivate(record, from: device, under: snapshot.knownPolicy(of: license), at: now)
            return TransactionResult(
                (decision.refusal.map(ReleaseOutcome.refused) ?? .free, false),
                decision.outcome.map { [RowWrite]($0, over: license, record) } ?? [])
        }
        guard attempt.mayHaveFormerKey,
            let former = try FormerKeyRequests(context: self).find(
                key, of: product, activation: activation, &changes.reads),
            former.activation?.license == former.license.id
        else { return attempt.outcome }
        let refusal = try FormerKeyRequests(context: self).deactivate(
            activation, with: former.key, from: device, under: snapshot, &changes)
        return refusal.map(ReleaseOutcome.refused) ?? .free
    }

    private func release(
        _ activation: ActivationID, because reason: StatedReason? = nil, by actor: Actor,
        under snapshot: CatalogSnapshot, _ changes: inout StoreChanges,
        of isMeant: @escaping @Sendable (License) -> Bool
    ) throws -> Bool? {
        let now = clock.now()
        return try changes.perform(ActivationQueries.plan.bind(activation)) { results, queries in
            guard let license = results[queries.license], let record = results[queries.activation], isMeant(license)
            else {
                return TransactionResult(nil)
            }
            let consequences = license.deactivate(
                record, because: reason, by: actor, under: snapshot.knownPolicy(of: license), at: now)
            return TransactionResult(!consequences.isEmpty, [RowWrite](consequences, over: license, record))
        }
    }
}
