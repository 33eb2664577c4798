import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RestoreExclusion {
    /// What a restored copy must not bring back among software licenses.
    static let licensing = [
        RestoreExclusion("license", of: License.self, named: \.id.description) { $0.takingBack($1) },
        RestoreExclusion(
            adding: "former key", of: FormerKey.self, under: License.table.key, parent: { [.of($0.license)] },
            named: { "of \($0.license)" }
        ) { copied, later in
            guard let copied else { return (later, ["replaced"]) }
            return copied.takingBack(later).map { ($0, ["ended for devices"]) }
        },
        RestoreExclusion(
            "activation", of: Activation.self, where: [[Comparison("released_at", .isNotNull)]],
            named: { "\($0.id) of \($0.license)" }
        ) { $0.takingBack($1) },
        removedActivations,
        .credentials("credential", of: LicenseCredential.self) { "\($0.kind.rawValue) of \($0.license)" },
        .signingKeys, .preparedKeys,
    ]

    /// Carries signing keys over to a restored copy.
    ///
    /// A key that was replaced since the copy no longer signs. The keys that sign since are carried over with it, so
    /// that their signatures can be verified. A key that still signs stays published for as long as its signatures
    /// since the copy may be valid.
    private static let signingKeys = RestoreExclusion(
        adding: "lease key", of: SigningKeyRecord.self, under: TenantRow.table.key, parent: { [.of($0.tenant)] },
        named: { "\($0.kid) of \($0.tenant)" }
    ) { copied, later in
        guard let copied else { return (later, ["added"]) }
        var (key, acts) = (copied, [String]())
        if later.standing.rank > copied.standing.rank {
            key.standing = later.standing
            key.publishedUntil = later.publishedUntil
            acts.append(later.standing.rawValue)
        }
        if let span = later.span, copied.span.map({ $0 < span }) ?? true {
            key.span = span
            if acts.isEmpty { acts.append("published longer") }
        }
        return acts.isEmpty ? nil : (key, acts)
    }

    /// Releases the activations of a very old copy that were released since and then removed after a year.
    ///
    /// Their licenses still exist in the later store; otherwise that is another installation's.
    private static let removedActivations = RestoreExclusion("activation") {
        later, store, now, tell throws(StoreError) in
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
            let removed = page.filter { !existing.contains($0.id) && licenses.contains($0.license) }
            if removed.isEmpty { continue }
            try await store.perform(
                Transaction {
                    TransactionResult((), removed.map { .replace($0, by: $0.releasedSince(at: now)) })
                })
            for activation in removed {
                tell(Item(kind: "activation", name: "\(activation.id) of \(activation.license)", act: "released"))
            }
        }
    }

    private static let laterRows = QueryPlan(for: [Activation].self) { query in
        (
            activations: query.each(Activation.table.key) { $0.map { .of($0.id) } },
            licenses: query.each(License.table.key) { Set($0.map(\.license)).sorted().map(StoredValue.of) }
        )
    }

    /// Removes a prepared key from the copy if it has signed since.
    private static let preparedKeys = RestoreExclusion("prepared key") { later, store, _, tell throws(StoreError) in
        let signing: [SigningKeyRecord]
        do throws(StoreError) { signing = try await later.all(SigningKeyRecord.table.all) } catch { return error }
        let plan = prepared
        let items = try await store.perform(
            Transaction(plan.bind()) { results in
                let promoted = results[plan.queries].filter { prepared in
                    signing.contains { $0.tenant == prepared.tenant && $0.kid == prepared.kid }
                }
                return TransactionResult(
                    promoted.map { Item(kind: "prepared key", name: "\($0.kid) of \($0.tenant)", act: "promoted") },
                    promoted.map { .remove($0) })
            })
        for item in items { tell(item) }
        return nil
    }

    private static let prepared = QueryPlan(isAlone: true) { query in
        query.rows(SigningKeyRecord.Prepared.table.all, upTo: .everything)
    }
}

extension SigningKeyRecord.Status {
    /// The position in the order in which keys are retired; higher is later.
    fileprivate var rank: Int {
        switch self {
        case .primary: 0
        case .retiring: 1
        case .retired: 2
        }
    }
}
