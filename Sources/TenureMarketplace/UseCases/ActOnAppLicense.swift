public import TenureCore
public import TenureServerKit
import TenureStore

/// Carries out an operator's act on one app license.
public struct ActOnAppLicense: Sendable {
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
        case done(AppLicense, changed: Bool)
        /// The law refuses.
        case refused(Refusal)
    }

    /// Decides and saves in one transaction; durable before this returns. Repeating it changes nothing.
    ///
    /// A tenant's own licenses alone are seen; another's is as unknown as none. Throws ``ServerError``.
    public func callAsFunction(
        _ act: AppLicenseAct, on license: LicenseID, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> Outcome {
        let once = try await self.once(nil, act, on: license, of: tenant, by: actor, remembering: { _ in nil })
        guard case .done(let outcome) = once else { return .refused(Refusal(.appLicenseForeign)) }
        return outcome
    }

    /// The same for a request that may be sent again.
    func once(
        _ request: RepeatableRequest?, _ act: AppLicenseAct, on id: LicenseID, of tenant: TenantID, by actor: Actor,
        remembering: @escaping @Sendable (Outcome) -> [UInt8]?
    ) async throws(ServerError) -> Once<Outcome> {
        let now = clock.now()
        let asked = Self.form.asked(request, .of(id), lists: [[.of(id)]])
        return try await catalog.performOnce(request, at: now, asked, remembering: remembering) { seen, license, _ in
            guard let license = seen[license], license.tenant == tenant else {
                return Saving(.refused(Refusal(.appLicenseForeign)))
            }
            switch license.perform(act, by: actor, at: now) {
            case .refused(let refusal): return Saving(.refused(refusal))
            case .granted(let consequences):
                return Saving(
                    .done(consequences.licenses.first ?? license, changed: !consequences.isEmpty),
                    [Save](consequences, over: [license]))
            }
        }
    }

    private static let form = RepeatableForm { ask in
        ask.hold(AppLicense.turnOfOwner)
        return ask.row(AppLicense.table.key)
    }
}
