public import TenureCore
import TenureCrypto
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
        /// Whether to remove products and policies that the file does not name and no license uses.
        public var prune = false

        /// The defaults: change, remove nothing.
        public init(dryRun: Bool = false, prune: Bool = false) {
            self.dryRun = dryRun
            self.prune = prune
        }
    }

    /// Applies the catalog in one transaction, then the licenses in small groups, each durable when it is reported.
    ///
    /// An interruption leaves what was reported, and applying again does the rest. Throws ``ServerError``.
    /// - Parameter report: Told of each change after it is durable, in the order of the file; and of how many licenses
    ///   are done.
    public func callAsFunction(
        _ file: CatalogFile, options: Options = Options(), by actor: Actor,
        report: ([PlannedChange], _ licensesDone: Int) -> Void
    ) async throws(ServerError) {
        report(try await applyOffer(file, options), 0)
        let policies = Dictionary(
            uniqueKeysWithValues: file.tenants.flatMap(\.products.values).map { ($0.ref, $0.policies) })
        var done = 0
        while done < file.licenses.count {
            let group = Array(file.licenses[done..<min(done + Self.group, file.licenses.count)])
            let changes = try await apply(group, policies, options, actor)
            done += group.count
            report(changes, done)
        }
    }

    private static let group = 256

    private func applyOffer(_ file: CatalogFile, _ options: Options) async throws(ServerError) -> [PlannedChange] {
        let now = clock.now()
        var keys: [TenantID: SigningKeyRecord] = [:]
        for tenant in file.tenants {
            do {
                keys[tenant.id] = try LeaseKey.make(for: tenant.id, beside: [], under: master, at: now)
            } catch {
                throw ServerError(.crypto, "A signing key could not be made.", cause: error.code.text)
            }
        }
        let made = keys
        let change = Change(loading: LoadKeys(catalog: true)) {
            loaded -> Saving<Result<[PlannedChange], ServerError>> in
            let plan = CatalogPlan(
                from: loaded.catalog ?? Catalog(), to: file, licensesPerPolicy: loaded.licensesPerPolicy,
                prune: options.prune, newKey: { made[$0] })
            guard plan.conflicts.isEmpty else {
                let message = plan.conflicts.joined(separator: " ") + " Nothing was changed."
                return Saving(.failure(ServerError(.catalogConflict, message)))
            }
            return Saving(.success(plan.changes), options.dryRun ? [] : plan.writes)
        }
        return try await asking { () async throws(StoreError) in try await store.perform(change) }.get()
    }

    private func apply(
        _ licenses: [CatalogFile.ListedLicense], _ policies: [ProductRef: [PolicyID: Policy]], _ options: Options,
        _ actor: Actor
    ) async throws(ServerError) -> [PlannedChange] {
        let now = clock.now()
        let store = store
        do {
            return try await withThrowingTaskGroup(of: (Int, [PlannedChange]).self) { tasks in
                for (place, listed) in licenses.enumerated() {
                    guard let policy = policies[listed.product]?[listed.policy] else { continue }
                    var random = SecureRandom()
                    let newID = LicenseID.random(using: &random)
                    let change = Change(loading: LoadKeys(license: .key(listed.key.hash, in: listed.product))) {
                        loaded in
                        let (changes, consequences) = listed.decide(
                            over: loaded.license, newID: newID, under: policy, by: actor, at: now)
                        return Saving(changes, options.dryRun ? [] : consequences.flatMap { [Write]($0) })
                    }
                    tasks.addTask { (place, try await store.perform(change)) }
                }
                var inOrder = [[PlannedChange]](repeating: [], count: licenses.count)
                for try await (place, changes) in tasks { inOrder[place] = changes }
                return inOrder.flatMap(\.self)
            }
        } catch let error as StoreError {
            throw ServerError(error)
        } catch {
            throw ServerError(.store, "The licenses could not be applied.", cause: "\(error)")
        }
    }
}
