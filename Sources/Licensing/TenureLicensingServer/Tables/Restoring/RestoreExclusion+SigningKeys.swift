import TenureCore
import TenureServerKit
import TenureStore

extension RestoreExclusion {
    /// Carries signing keys over to a restored copy, or to a store that returned to an older state.
    ///
    /// A key that has been replaced since then no longer signs. The newer keys are carried over with it, so that their
    /// signatures can be verified. A key that still signs stays published for as long as its signatures may be valid.
    static let signingKeys = RestoreExclusion("lease key", of: SigningKeyRecord.self) {
        comparison, result throws(StoreError) in
        let later: [SigningKeyRecord]
        do throws(StoreError) { later = try await comparison.later.signingKeys() } catch { return error }
        let (plan, now, isInUse) = (keys, comparison.now, comparison.own != nil)
        result.items += try await comparison.store.perform(
            Transaction(plan.bind(Array(Set(later.map(\.tenant))))) { results in
                var (items, saves): ([Item], [RowWrite]) = ([], [])
                var changed: Set<TenantID> = []
                for tenant in results[plan.queries.tenants].map(\.id) {
                    let merge = SigningKeyMerge(
                        of: results[plan.queries.keys].filter { $0.tenant == tenant }, isInUse: isInUse, at: now)
                    for outcome in merge.outcomes(with: later.filter { $0.tenant == tenant }) {
                        items.append(
                            Item(
                                kind: "lease key", name: "\(outcome.kid) of \(tenant)", act: outcome.act,
                                isLeftOut: outcome.after == nil))
                        guard let after = outcome.after else { continue }
                        saves.append(.put(after, over: outcome.before))
                        changed.insert(tenant)
                    }
                }
                // Makes the servers that use the store read the keys again.
                if isInUse, !saves.isEmpty { saves += plan.queries.marks.raised(for: changed, in: results) }
                return TransactionResult(items, saves)
            })
        return nil
    }

    private static let keys = QueryPlan(isAlone: true, for: [TenantID].self) { query in
        (
            keys: query.rows(SigningKeyRecord.byAge, upTo: .everything),
            tenants: query.rows(TenantRow.table.all, upTo: .everything), marks: TenantMarks(&query)
        )
    }
}

/// Merges a tenant's signing keys with those that another state of the store has for the tenant.
struct SigningKeyMerge {
    private let own: [SigningKeyRecord]
    private let isInUse: Bool
    private let now: Timestamp

    /// - Parameter isInUse: Whether the tenant's keys sign now; otherwise they are those of an old copy.
    init(of own: [SigningKeyRecord], isInUse: Bool, at now: Timestamp) {
        self.own = own
        self.isInUse = isInUse
        self.now = now
    }

    /// The change to one key.
    struct Outcome: Sendable, Hashable {
        let kid: String
        let before: SigningKeyRecord?
        /// The key to save; `nil` if the other state's key is left out, because this store has a different key with its
        /// id.
        let after: SigningKeyRecord?
        let act: String
    }

    /// Returns the changes to the keys; afterwards, one key signs.
    func outcomes(with others: [SigningKeyRecord]) -> [Outcome] {
        let primary = own.first { $0.status == .primary }
        // If the other state lacks the primary key, the key was created here since then, so it keeps signing.
        let isRotatedHere = primary.map { key in !others.contains { key.isSame(as: $0) } } ?? false
        return others.compactMap { other in
            guard let key = own.first(where: { $0.kid == other.kid }) else {
                if isRotatedHere, other.status == .primary {
                    return Outcome(kid: other.kid, before: nil, after: retiring(other), act: "added, retiring")
                }
                return Outcome(kid: other.kid, before: nil, after: other, act: "added")
            }
            guard key.isSame(as: other) else {
                return Outcome(
                    kid: other.kid, before: key, after: nil, act: "left out: another key has this name")
            }
            return outcome(of: key, to: other)
        }
    }

    private func outcome(of key: SigningKeyRecord, to other: SigningKeyRecord) -> Outcome? {
        var (after, acts) = (key, [String]())
        if let span = other.span, key.span.map({ $0 < span }) ?? true { after.span = span }
        if other.status.rank > key.status.rank {
            after.status = other.status
            after.publishedUntil = other.publishedUntil
            // This key has signed here until now.
            if isInUse, key.status == .primary, other.status == .retiring {
                let until = retiring(after).publishedUntil
                after.publishedUntil = other.publishedUntil.flatMap { end in until.map { max(end, $0) } }
            }
            acts.append(other.status.rawValue)
        }
        if after.span != key.span, acts.isEmpty { acts.append("published longer") }
        return acts.isEmpty
            ? nil : Outcome(kid: key.kid, before: key, after: after, act: acts.joined(separator: ", "))
    }

    /// Returns a key that no longer signs, and is published until its last signature has expired.
    private func retiring(_ key: SigningKeyRecord) -> SigningKeyRecord {
        var key = key
        key.status = .retiring
        key.publishedUntil = max(key.span ?? .shortest, .shortest).end(signedUntil: now)
        return key
    }
}

extension SigningKeyRecord {
    fileprivate func isSame(as other: SigningKeyRecord) -> Bool { kid == other.kid && publicKey == other.publicKey }
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
