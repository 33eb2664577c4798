import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Releases the activation if it belongs to the product; durable before this returns.
    ///
    /// Returns whether this call released it; `nil` if the product has no such activation. So activations of other
    /// products stay hidden. Throws ``ServerError``, and ``CatalogChanged``; the call can be repeated after a transient
    /// error.
    func deactivate(
        _ activation: ActivationID, of product: ProductRef, by actor: Actor, under snapshot: CatalogSnapshot
    ) async throws -> Bool? {
        let now = clock.now()
        return try await catalog.change(under: snapshot, ActivationQueries.plan.bind(activation)) { results, queries in
            queries.release(in: results, by: actor, under: snapshot, at: now) { license in license.product == product }
        }
    }

    /// Releases an activation for an operator, within one tenant or, if `tenant` is `nil`, within all.
    ///
    /// The id is the activation's own, which older lists showed, or its public one. The event contains the reason.
    /// Returns whether this call released the activation; `nil` if there's no such activation.
    func deactivate(
        named id: ActivationID, because reason: StatedReason? = nil, ofTenant tenant: TenantID?, by actor: Actor
    ) async throws(ServerError) -> Bool? {
        let now = clock.now()
        for activation in [id, try catalog.secrets.names.meant(id)] {
            let changed = try await catalog.perform(ActivationQueries.plan.bind(activation)) {
                results, queries, snapshot in
                queries.release(in: results, because: reason, by: actor, under: snapshot, at: now) { license in
                    tenant.map { $0 == license.product.tenant } ?? true
                }
            }
            if let changed { return changed }
        }
        return nil
    }

    /// Releases a device that also sends its license's key; returns `nil` once it's released.
    ///
    /// An unknown activation counts as released, unless the store may have lost it. Unknown keys and other devices are
    /// refused.
    func deactivate(
        _ activation: ActivationID, under key: PresentedKey, of product: ProductRef, from device: DeviceIdentity,
        under snapshot: CatalogSnapshot
    ) async throws -> Refusal? {
        let now = clock.now()
        let hashes = [key.hash, key.lookAlikeHash].compactMap(\.self)
        let bound = KeyedActivationQueries.plan.bind(
            .init(key: .init(key: key, product: product), activation: activation))
        return try await catalog.change(under: snapshot, bound) { [catalog] results, queries in
            guard let license = results[queries.record.license], let record = results[queries.record.activation],
                license.product == product, hashes.contains(license.key.hash)
            else {
                if queries.key.license(in: results) == nil { return TransactionResult(Refusal(.licenseUnknown)) }
                if results[queries.record.activation] == nil { try catalog.checkLoss() }
                return TransactionResult(nil)
            }
            let decision = license.deactivate(record, from: device, under: snapshot.knownPolicy(of: license), at: now)
            return TransactionResult(
                decision.refusal, decision.outcome.map { [RowWrite]($0, over: license, record) } ?? [])
        }
    }

    /// The result of a device's own release.
    enum ReleaseOutcome: Sendable {
        /// The device has been released, by this request or before.
        case free
        /// The request was refused, and nothing changes.
        case refused(Refusal)
    }

    /// Releases a device for a caller that has sent too many unknown keys; a wrong guess costs only one query.
    ///
    /// Returns `nil` and changes nothing unless the request contains a live activation with its license's key or a
    /// former one, or a minted key.
    func deactivateIfProven(
        _ activation: ActivationID, under key: PresentedKey, of product: ProductRef, from device: DeviceIdentity,
        under snapshot: CatalogSnapshot
    ) async throws -> ReleaseOutcome? {
        let now = clock.now()
        let attempt = try await catalog.change(
            under: snapshot, KeyedActivationQueries.bind(key, activation, of: product)
        ) {
            [catalog] (results, queries) -> TransactionResult<(outcome: ReleaseOutcome?, mayHaveFormerKey: Bool)> in
            guard let license = queries.provenLicense(for: key, of: product, in: results) else {
                return TransactionResult((nil, queries.liveLicense(of: product, in: results) != nil))
            }
            let record = try catalog.found(results[queries.record.activation])
            guard let record, record.license == license.id else { return TransactionResult((.free, false)) }
            let decision = license.deactivate(record, from: device, under: snapshot.knownPolicy(of: license), at: now)
            return TransactionResult(
                (decision.refusal.map(ReleaseOutcome.refused) ?? .free, false),
                decision.outcome.map { [RowWrite]($0, over: license, record) } ?? [])
        }
        guard attempt.mayHaveFormerKey else { return attempt.outcome }
        let former = try await catalog.reading(under: snapshot) { reads in
            try findFormerKey(key, of: product, activation: activation, &reads)
        }
        guard let former, former.activation?.license == former.license.id else { return attempt.outcome }
        let refusal = try await deactivate(activation, with: former.key, from: device, under: snapshot)
        return refusal.map(ReleaseOutcome.refused) ?? .free
    }
}

extension ActivationQueries {
    /// Releases the activation, and returns whether that changed anything. Returns `nil` if the store lacks the
    /// activation or its license, or if `isMeant` rejects the license.
    fileprivate func release(
        in results: QueryResult, because reason: StatedReason? = nil, by actor: Actor,
        under snapshot: CatalogSnapshot, at now: Timestamp, of isMeant: (License) -> Bool
    ) -> TransactionResult<Bool?> {
        guard let license = results[license], let record = results[activation], isMeant(license) else {
            return TransactionResult(nil)
        }
        let consequences = license.deactivate(
            record, because: reason, by: actor, under: snapshot.knownPolicy(of: license), at: now)
        return TransactionResult(!consequences.isEmpty, [RowWrite](consequences, over: license, record))
    }
}
