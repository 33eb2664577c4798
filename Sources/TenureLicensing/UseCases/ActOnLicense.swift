public import TenureCore
public import TenureServerKit
import TenureStore

/// Carries out an operator's act on one license.
public struct ActOnLicense: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Decides under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// What the act comes to.
    public enum Outcome: Sendable {
        /// It is so: the license as it is now, and whether this call changed it.
        case done(License, changed: Bool)
        /// The law refuses.
        case refused(Refusal)
        /// The edit names a policy that the product does not have.
        case unknownPolicy(PolicyID)
    }

    /// Decides and saves in one transaction; durable before this returns.
    ///
    /// Acts that name a goal (suspend, reinstate, revoke, give back, change) may be repeated and change nothing then; a
    /// renewal adds to the term each time. Throws ``ServerError``; `key_taken` when another license has the new key.
    public func callAsFunction(
        _ act: OperatorAct, on license: LicenseID, by actor: Actor
    ) async throws(ServerError) -> Outcome {
        let once = try await self.once(nil, act, on: license, of: nil, by: actor, remembering: { _ in nil })
        guard case .done(let outcome) = once else { return .refused(Refusal(.licenseUnknown)) }
        return outcome
    }

    /// The same for a request that may be sent again, and only for a tenant's own license.
    func once(
        _ request: RepeatableRequest?, _ act: OperatorAct, on license: LicenseID, of tenant: TenantID?, by actor: Actor,
        remembering: @escaping @Sendable (Outcome) -> [UInt8]?
    ) async throws(ServerError) -> Once<Outcome> {
        let now = clock.now()
        if case .rekey(let key) = act {
            return try await rekeyOnce(request, to: key, license, of: tenant, by: actor, remembering: remembering)
        }
        let asked = LicenseForms.byIDOnce.asked(request, .of(license))
        return try await catalog.performOnce(request, at: now, asked, remembering: remembering) {
            (seen, license, snapshot) throws(ServerError) -> Saving<Outcome> in
            guard let license = seen[license], tenant == nil || license.product.tenant == tenant else {
                return Saving(.refused(Refusal(.licenseUnknown)))
            }
            return try Self.decide(act, on: license, under: snapshot, by: actor, at: now)
        }
    }

    private func rekeyOnce(
        _ request: RepeatableRequest?, to key: LicenseKey, _ license: LicenseID, of tenant: TenantID?, by actor: Actor,
        remembering: @escaping @Sendable (Outcome) -> [UInt8]?
    ) async throws(ServerError) -> Once<Outcome> {
        let now = clock.now()
        let asked = LicenseForms.rekeyOnce.asked(request, .of(license), .of(key.hash))
        do throws(ServerError) {
            return try await catalog.performOnce(request, at: now, asked, remembering: remembering) {
                (seen, looks, snapshot) throws(ServerError) -> Saving<Outcome> in
                guard let license = seen[looks.license], tenant == nil || license.product.tenant == tenant else {
                    return Saving(.refused(Refusal(.licenseUnknown)))
                }
                // Whoever has the other license's old key must not find this one by it.
                if let other = seen[looks.new], other.license != license.id {
                    throw ServerError(.keyTaken, "Another license of the product had the key \(key.masked) before.")
                }
                return try Self.decide(
                    .rekey(key), on: license, under: snapshot, by: actor, at: now, former: seen[looks.former])
            }
        } catch {
            let message = "Another license of the product has the key \(key.masked); choose another key."
            throw error.told(.keyTaken, message, where: License.byKey)
        }
    }

    private static func decide(
        _ act: OperatorAct, on license: License, under snapshot: CatalogSnapshot, by actor: Actor, at now: Timestamp,
        former: FormerKey? = nil
    ) throws(ServerError) -> Saving<Outcome> {
        if case .change(let edit) = act, let policy = edit.policy,
            snapshot.catalog[license.product]?.policies[policy] == nil
        {
            return Saving(.unknownPolicy(policy))
        }
        switch license.perform(act, under: try snapshot.policy(of: license), by: actor, at: now) {
        case .refused(let refusal): return Saving(.refused(refusal))
        case .granted(let consequences):
            return Saving(
                .done(consequences.license ?? license, changed: !consequences.isEmpty),
                [Save](consequences, over: license, nil, former))
        }
    }
}
