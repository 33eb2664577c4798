public import TenureCore
import TenureCrypto
import TenureLicensing
import TenureMarketplace
public import TenureServerKit
public import TenureStore

/// Makes the store say what a catalog file says; applying twice changes nothing.
public struct ApplyCatalog: Sendable {
    let store: any Store
    let master: MasterKey
    let clock: any WallClock

    /// Applies to a store, sealing new signing keys with a master key.
    public init(store: any Store, master: MasterKey, clock: any WallClock) {
        self.store = store
        self.master = master
        self.clock = clock
    }

    /// How to apply.
    public struct Options: Sendable {
        /// Whether to say what would change, and change nothing.
        public var dryRun = false
        /// Whether to remove products, policies, apps and versions that the file does not name and no license uses.
        public var prune = false

        /// The defaults: change, remove nothing.
        public init(dryRun: Bool = false, prune: Bool = false) {
            self.dryRun = dryRun
            self.prune = prune
        }
    }

    /// Applies the catalog in one transaction, then licenses and accounts in small groups, each durable when it is
    /// reported.
    ///
    /// An interruption leaves what was reported, and applying again does the rest. Throws ``ServerError``.
    /// - Parameter report: Told of each change after it is durable, in the order of the file; and of how many licenses and
    ///   accounts are done.
    public func callAsFunction(
        _ file: CatalogFile, options: Options = Options(), by actor: Actor,
        report: ([PlannedChange], _ done: Int) -> Void
    ) async throws(ServerError) {
        report(try await applyOffer(file, options), 0)
        let now = clock.now()
        let policies = Dictionary(
            uniqueKeysWithValues: file.tenants.flatMap(\.products.values).map { ($0.ref, $0.policies) })
        var done = 0
        for group in Self.groups(file.licenses) {
            let changes = try await perform(
                group.compactMap { listed in
                    policies[listed.product]?[listed.policy].map { policy in
                        change(listed, under: policy, options, by: actor, at: now)
                    }
                })
            done += group.count
            report(changes, done)
        }
        for group in Self.groups(file.accounts) {
            let changes = try await perform(group.map { change($0, options, by: actor, at: now) })
            done += group.count
            report(changes, done)
        }
    }

    private static let licenseOfKey = LoadForm { ask in ask.row(License.byKey) }
    private static let group = 256
    private static let attempts = 8

    private static func groups<Element>(_ all: [Element]) -> [ArraySlice<Element>] {
        stride(from: 0, to: all.count, by: group).map { all[$0..<min($0 + group, all.count)] }
    }

    /// Plans on what was read beforehand, and plans again when the catalog has changed since.
    private func applyOffer(_ file: CatalogFile, _ options: Options) async throws(ServerError) -> [PlannedChange] {
        let now = clock.now()
        let keys = try signingKeys(for: file, at: now)
        for _ in 0..<Self.attempts {
            let facts = try await MarketplaceFacts.read(for: file, from: store, prune: options.prune, at: now)
            let change = Change(OfferLooks.asked(file.tenants.map(\.id))) {
                seen -> Saving<Result<[PlannedChange], ServerError>?> in
                let looks = OfferLooks.form.looks
                let stored = looks.catalog.catalog(in: seen)
                guard facts.version ?? stored.version == stored.version else { return Saving(nil) }
                let plan = CatalogPlan(
                    from: stored, counts: looks.counts(in: seen), to: file, facts: facts, prune: options.prune,
                    newKey: { keys[$0] })
                guard plan.conflicts.isEmpty else {
                    let message = plan.conflicts.joined(separator: " ") + " Nothing was changed."
                    return Saving(.failure(ServerError(.catalogConflict, message)))
                }
                return Saving(.success(plan.changes), options.dryRun ? [] : plan.saves(looks.marks, in: seen))
            }
            let answer = try await asking { () async throws(StoreError) in try await store.perform(change) }
            if let answer { return try answer.get() }
        }
        throw ServerError(
            .init("catalog_busy"), "The catalog kept changing while it was applied. Try again.", isTransient: true)
    }

    private func signingKeys(
        for file: CatalogFile, at now: Timestamp
    ) throws(ServerError) -> [TenantID: SigningKeyRecord] {
        var keys: [TenantID: SigningKeyRecord] = [:]
        for tenant in file.tenants {
            do {
                keys[tenant.id] = try LeaseKey.make(
                    for: tenant.id, named: LeaseKey.nextName(beside: []), under: master, at: now)
            } catch {
                throw ServerError(.crypto, "A signing key could not be made.", cause: error.code.text)
            }
        }
        return keys
    }

    private func change(
        _ listed: CatalogFile.ListedLicense, under policy: Policy, _ options: Options, by actor: Actor,
        at now: Timestamp
    ) -> Change<[PlannedChange]> {
        var random = SecureRandom()
        let newID = LicenseID.random(using: &random)
        let form = Self.licenseOfKey
        return Change(
            form.asked(.of(listed.key.hash), .of(listed.product.tenant), .of(listed.product.product))
        ) { seen in
            let stored = seen[form.looks]
            let (changes, consequences) = listed.decide(
                over: stored, newID: newID, under: policy, by: actor, at: now)
            return Saving(changes, options.dryRun ? [] : .following(consequences, from: stored))
        }
    }

    private func change(
        _ listed: ListedAccount, _ options: Options, by actor: Actor, at now: Timestamp
    ) -> Change<[PlannedChange]> {
        Change(listed.asked) { seen in
            let (changes, saves) = listed.decide(over: seen, by: actor, at: now)
            return Saving(changes, options.dryRun ? [] : saves)
        }
    }

    private func perform(_ changes: [Change<[PlannedChange]>]) async throws(ServerError) -> [PlannedChange] {
        try await asking { () async throws(StoreError) in try await store.performTogether(changes) }.flatMap(\.self)
    }
}

/// What a plan for the catalog looks at.
private struct OfferLooks: Sendable {
    let catalog: CatalogLooks
    let marks: TenantMarks
    private let ofPolicies: ViewLook<PolicyCount>
    private let ofApps: ViewLook<AppCount>

    init(_ ask: inout Asking) {
        marks = TenantMarks(&ask)
        catalog = Rooms.catalog.looks(&ask)
        ofPolicies = ask.view(PolicyCount.all)
        ofApps = ask.view(AppCount.all)
    }

    func counts(in seen: Seen) -> LicenseCounts {
        var counts = LicenseCounts()
        for count in seen[ofPolicies] { counts.ofPolicies[count.policy] = count.count }
        for count in seen[ofApps] { counts.ofApps[count.tenant, default: [:]][count.item] = count.count }
        return counts
    }

    static let form = LoadForm(isAlone: true, OfferLooks.init)
    /// Asks for everything, and for the versions of the tenants that may change; no view of it takes a list.
    static func asked(_ tenants: [TenantID]) -> Asked {
        let none = Array(repeating: [StoredValue](), count: form.shape.listCount - 1)
        return form.asked(lists: [tenants.map(\.storedValue)] + none)
    }
}

extension CatalogPlan {
    /// What makes the plan real: with it every server reads the tenants again that it concerns.
    fileprivate func saves(_ marks: TenantMarks, in seen: Seen) -> [Save] {
        saves.isEmpty ? [] : saves + marks.raised(for: concerned, in: seen)
    }
}
