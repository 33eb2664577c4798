public import TenureCore
public import TenureServerKit
import TenureStore

/// Gives an account the right to an app, and ends it.
public struct GrantApp: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Grants under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// What came of it.
    public enum Outcome: Sendable, Hashable {
        /// The grant as it is now, and whether this call changed it.
        case done(AppGrant, changed: Bool)
        /// The law refuses: the marketplace does not list the app, or there is no grant to end.
        case refused(Refusal)
        /// There is no such account.
        case unknownAccount
    }

    /// Grants an app, or moves the end of an open grant; durable before this returns.
    ///
    /// Repeating it changes nothing, unless it is granted again. A grant that was ended or is over is opened. Throws
    /// ``ServerError``.
    /// - Parameters:
    ///   - end: When it ends; nil leaves an open grant's end as it is, and is never for one that is new or opened.
    ///   - again: Whether devices whose license was revoked may ask for a new one from now on.
    public func callAsFunction(
        _ item: AppleItemID, to ref: AccountRef, until end: LicenseEdit.End? = nil, again: Bool = false, by actor: Actor
    ) async throws(ServerError) -> Outcome {
        try await change(item, of: ref) { before, now in
            let open = before.flatMap { $0.isOpen(at: now) ? $0 : nil }
            let until: Timestamp? = if let end { end.moment } else { open?.term.end }
            let edited = AppGrant.grant(item, to: ref, until: until, over: before, by: actor, at: now)
            guard again, let grant = edited.grant ?? before else { return edited }
            return grant.again(by: actor, at: now)
        }
    }

    /// Ends a grant: no new licenses, and none of its licenses is renewed. Repeating it changes nothing.
    ///
    /// Refused when the app was never granted. Throws ``ServerError``.
    public func end(_ item: AppleItemID, of ref: AccountRef, by actor: Actor) async throws(ServerError) -> Outcome {
        try await change(item, of: ref) { before, now in before?.end(by: actor, at: now) ?? .none }
    }

    private func change(
        _ item: AppleItemID, of ref: AccountRef,
        _ decide: @escaping @Sendable (AppGrant?, Timestamp) -> AppConsequences
    ) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let (tenant, account) = (StoredValue.of(ref.tenant), StoredValue.of(ref.account))
        let asked = Self.form.asked(tenant, account, tenant, account, .of(item), lists: [[tenant, account]])
        return try await catalog.perform(asked) { seen, looks, snapshot in
            guard seen[looks.account] != nil else { return Saving(.unknownAccount) }
            let before = seen[looks.grant]
            let isListed = snapshot.catalog.tenants[ref.tenant]?.marketplace?.apps[item] != nil
            guard isListed || before != nil else { return Saving(.refused(Refusal(.appUnknown(item)))) }
            let consequences = decide(before, now)
            guard let grant = consequences.grant ?? before else {
                return Saving(.refused(Refusal(.appNotGranted(item))))
            }
            return Saving(.done(grant, changed: !consequences.isEmpty), [Save](consequences, over: [], before))
        }
    }

    private static let form = CatalogForm { ask in
        ask.hold(AppLicense.turnOfAccount)
        return (account: ask.row(Account.table.key), grant: ask.row(AppGrant.table.key))
    }
}

extension LicenseEdit.End {
    /// The moment; nil for never.
    package var moment: Timestamp? {
        switch self {
        case .never: nil
        case .at(let moment): moment
        }
    }
}
