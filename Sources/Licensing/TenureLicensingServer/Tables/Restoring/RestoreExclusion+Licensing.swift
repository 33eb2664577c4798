import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RestoreExclusion {
    /// Changes to software licenses that a restored copy must not undo.
    static let licensing = [
        RestoreExclusion(
            adding: "key root", of: KeyRoot.self, under: TenantRow.table.key, parent: { [.of($0.tenant)] },
            named: { "\($0.id) of \($0.tenant)" }
        ) { copied, later, _ in copied == nil ? (later, ["added"]) : nil },
        RestoreExclusion(
            "license", of: License.self, named: \.id.description, about: { .license($0.id) },
            explained: { copied, later, changes in
                (.license(later.id), copied.explanations(of: later, since: changes))
            }
        ) { $0.takingBack($1, since: $2) },
        RestoreExclusion(
            adding: "former key", of: FormerKey.self, under: License.table.key, parent: { [.of($0.license)] },
            named: { "of \($0.license)" }
        ) { copied, later, _ in
            guard let copied else { return (later, ["replaced"]) }
            return copied.takingBack(later).map { ($0, ["ended for devices"]) }
        },
        RestoreExclusion(
            "activation", of: Activation.self, where: [[Comparison("released_at", .isNotNull)]],
            named: { "\($0.id) of \($0.license)" }, about: { .activation($0.id) },
            explained: { _, later, _ in (.activation(later.id), [.activationReleased, .activationRestored]) }
        ) { $0.takingBack($1, since: $2) },
        removedActivations,
        .credentials("credential", of: LicenseCredential.self) { "\($0.kind.rawValue) of \($0.license)" },
        .signingKeys, .preparedKeys,
    ]

    /// Releases activations of a very old copy that a later store has released, and removed a year after that.
    ///
    /// Only activations whose licenses exist in the later store are released, because a store without them belongs to
    /// another installation.
    private static let removedActivations = RestoreExclusion("activation", of: Activation.self) {
        comparison, result throws(StoreError) in
        let (later, store, now) = (comparison.later, comparison.store, comparison.now)
        var cursor: [StoredValue] = []
        let start = now.adding(days: -SelfRelease.countedDays)
        while true {
            let page = try await store.list(
                Listing(
                    Activation.table.all,
                    where: [[Comparison("released_at", .isNull), Comparison("activated_at", .below(.of(start)))]],
                    after: cursor, limit: 500))
            if page.isEmpty { return nil }
            cursor = page.last?.keyValues ?? []
            let results: QueryResult
            do throws(StoreError) { results = try await later.fetch(laterRows.bind(page)) } catch { return error }
            let existing = Set(results[laterRows.queries.activations].map(\.id))
            let licenses = Set(results[laterRows.queries.licenses].map(\.id))
            let removed = page.filter { activation in
                !existing.contains(activation.id) && licenses.contains(activation.license)
                    && comparison.sharedUntil.map { activation.activatedAt <= $0 } ?? true
            }
            if removed.isEmpty { continue }
            result.items += try await store.perform(
                Transaction(laterRows.bind(removed)) { results in
                    let active = results[laterRows.queries.activations].filter(\.isLive)
                    let items = active.map { activation in
                        Item(kind: "activation", name: "\(activation.id) of \(activation.license)", act: "released")
                    }
                    return TransactionResult(items, active.map { .replace($0, by: $0.releasedSince(at: now)) })
                })
        }
    }

    private static let laterRows = QueryPlan(for: [Activation].self) { query in
        (
            activations: query.each(Activation.table.key) { $0.map { .of($0.id) } },
            licenses: query.each(License.table.key) { Set($0.map(\.license)).sorted().map(StoredValue.of) }
        )
    }

    /// Removes a prepared key from the copy if it has signed since the backup, and adds one that was prepared since
    /// then.
    ///
    /// Apps may have been shipped with a prepared key, so that key must sign next.
    private static let preparedKeys = RestoreExclusion("prepared key", of: SigningKeyRecord.Prepared.self) {
        comparison, result throws(StoreError) in
        let (later, store) = (comparison.later, comparison.store)
        let signing: [SigningKeyRecord]
        let added: [SigningKeyRecord.Prepared]
        do throws(StoreError) {
            signing = try await later.all(SigningKeyRecord.table.all)
            added = try await later.preparedKeys()
        } catch {
            return error
        }
        let plan = prepared
        let items = try await store.perform(
            Transaction(plan.bind()) { results in
                var (items, saves): ([Item], [RowWrite]) = ([], [])
                let tenants = Set(results[plan.queries.tenants].map(\.id))
                var copied = Dictionary(
                    results[plan.queries.keys].map { ($0.tenant, $0) }, uniquingKeysWith: { first, _ in first })
                func add(_ key: SigningKeyRecord.Prepared, _ act: String, isLeftOut: Bool = false) {
                    items.append(
                        Item(
                            kind: "prepared key", name: "\(key.kid) of \(key.tenant)", act: act, isLeftOut: isLeftOut))
                }
                for key in copied.values.sorted(by: { $0.tenant < $1.tenant }) {
                    guard signing.contains(where: { $0.tenant == key.tenant && $0.kid == key.kid }) else { continue }
                    copied[key.tenant] = nil
                    saves.append(.remove(key))
                    add(key, "promoted")
                }
                let signs = Set(results[plan.queries.signing].map { "\($0.tenant) \($0.kid)" })
                for key in added where tenants.contains(key.tenant) && !signs.contains("\(key.tenant) \(key.kid)") {
                    if let other = copied[key.tenant] {
                        if other.publicKey != key.publicKey {
                            add(key, "left out: \(other.kid) is prepared, too", isLeftOut: true)
                        }
                    } else {
                        saves.append(.insert(key))
                        add(key, "added")
                    }
                }
                return TransactionResult(items, saves)
            })
        result.items += items
        return nil
    }

    private static let prepared = QueryPlan(isAlone: true) { query in
        (
            keys: query.rows(SigningKeyRecord.Prepared.table.all, upTo: .everything),
            signing: query.rows(SigningKeyRecord.table.all, upTo: .everything),
            tenants: query.rows(TenantRow.table.all, upTo: .everything)
        )
    }
}

extension [RestoredAsCopied] {
    /// The tables of software licensing that a restored copy contains unchanged, with the reasons.
    static let licensing: [RestoredAsCopied] = [
        .catalog(Product.self), .catalog(PolicyRow.self),
        RestoredAsCopied(LastSeen.self, because: "It only says when a device sent its last request."),
        RestoredAsCopied(
            Trial.self, because: "A trial's start never changes, and days that were added since are only lost."),
        RestoredAsCopied(Trial.Device.self, because: "It only names devices for support."),
    ]
}
