package import TenureCore
import TenureCrypto
package import TenureServerKit
import TenureStore

/// The result of withdrawing a key.
package enum LeaseKeyWithdrawal: Sendable, Hashable {
    /// The key is no longer published; `isNew` is false if it was already retired.
    case withdrawn(isNew: Bool)
    /// The tenant has no key with this id.
    case unknown
    /// The key is the primary one; rotate it first.
    case signs
    /// The key has been prepared to sign next and hasn't signed anything yet.
    case prepared
}

extension LicensingContext {
    /// Makes the prepared key, or a new one if none was prepared, primary; durable before this returns.
    ///
    /// The old key retires. It stays published until every lease that it may have signed has ended, plus the clock
    /// tolerance. Each lease is assumed to have the longest lifetime that any policy allowed while the key signed;
    /// `overlapDays` can only extend the time. If such a lease never ends, the key stays published until it's
    /// withdrawn.
    ///
    /// Keys whose overlap has passed are retired. Returns `nil` if the tenant doesn't exist. Throws ``ServerError``.
    package func rotateLeaseKey(
        of tenant: TenantID, overlapDays: Int? = nil
    ) async throws(ServerError) -> [SigningKeyRecord]? {
        let now = clock.now()
        return try await withNewKey(for: tenant, at: now) { fresh, results, queries, snapshot in
            guard let offered = snapshot.catalog.tenants[tenant] else { return TransactionResult(.noTenant) }
            let (stored, prepared) = (results[queries.keys], results[queries.prepared])
            if let next = queries.numberInstead(of: fresh, in: results), prepared == nil {
                return TransactionResult(.numberTaken(next))
            }
            var key = prepared?.promoted ?? fresh
            key.span = offered.signedSpan
            let least = max(SignedSpan(days: overlapDays ?? 0), offered.signedSpan)
            let old = stored.map { $0.afterRotation(at: now, least: least) }
            let saves =
                zip(stored, old).map { RowWrite.replace($0, by: $1) }
                + [prepared].compactMap(\.self).map { .remove($0) }
            return TransactionResult(
                .done(old + [key]), saves + [.insert(key)] + queries.marks.raised(for: [tenant], in: results))
        }
    }

    /// Publishes a key that signs after the next rotation; durable before this returns.
    ///
    /// `isNew` is false if a key had already been prepared; then nothing changes. Returns `nil` if the tenant doesn't
    /// exist. Throws ``ServerError``.
    package func prepareLeaseKey(
        of tenant: TenantID
    ) async throws(ServerError) -> (key: SigningKeyRecord.Prepared, isNew: Bool)? {
        try await withNewKey(for: tenant, at: clock.now()) { fresh, results, queries, snapshot in
            guard snapshot.catalog.tenants[tenant] != nil else { return TransactionResult(.noTenant) }
            if let prepared = results[queries.prepared] { return TransactionResult(.done((prepared, false))) }
            if let next = queries.numberInstead(of: fresh, in: results) { return TransactionResult(.numberTaken(next)) }
            let key = SigningKeyRecord.Prepared(fresh)
            return TransactionResult(
                .done((key, true)), [.insert(key)] + queries.marks.raised(for: [tenant], in: results))
        }
    }

    /// Stops publishing a key; durable before this returns.
    ///
    /// Clients drop the key with the next keyset that they read, and renew the leases that it signed.
    package func withdrawLeaseKey(_ kid: String, of tenant: TenantID) async throws(ServerError) -> LeaseKeyWithdrawal {
        let now = clock.now()
        let bound = Self.plan.bind(tenant)
        return try await catalog.perform(bound) { results, queries, _ in
            guard let key = results[queries.keys].first(where: { $0.kid == kid }) else {
                return TransactionResult(results[queries.prepared]?.kid == kid ? .prepared : .unknown)
            }
            switch key.status {
            case .primary: return TransactionResult(.signs)
            case .retired: return TransactionResult(.withdrawn(isNew: false))
            case .retiring:
                var gone = key
                gone.status = .retired
                gone.publishedUntil = now
                return TransactionResult(
                    .withdrawn(isNew: true),
                    [.replace(key, by: gone)] + queries.marks.raised(for: [tenant], in: results))
            }
        }
    }

    /// Runs `decide` with a key that was made and encrypted beforehand; returns `nil` if the tenant doesn't exist.
    private func withNewKey<Answer: Sendable>(
        for tenant: TenantID, at now: Timestamp,
        decide:
            @escaping @Sendable (SigningKeyRecord, QueryResult, Queries, CatalogSnapshot) -> TransactionResult<
                Attempt<Answer>
            >
    ) async throws(ServerError) -> Answer? {
        try await catalog.refresh()
        return try await catalog.encrypting { master throws(ServerError) in
            try await withNewKey(for: tenant, under: master, at: now, decide: decide)
        }
    }

    private func withNewKey<Answer: Sendable>(
        for tenant: TenantID, under master: MasterKey, at now: Timestamp,
        decide:
            @escaping @Sendable (SigningKeyRecord, QueryResult, Queries, CatalogSnapshot) -> TransactionResult<
                Attempt<Answer>
            >
    ) async throws(ServerError) -> Answer? {
        var number = LeaseKey.nextNumber(beside: try await store.signingKeys(of: tenant))
        var generator = randomness.generator()
        var attempts = RetryPolicy()
        while attempts.isLeft {
            let name = LeaseKey.newName(numbered: number, using: &generator)
            let fresh = try makeLeaseKey(name, for: tenant, under: master, at: now)
            let bound = Self.plan.bind(tenant)
            let attempt = try await catalog.perform(bound, within: &attempts) {
                (results, queries, snapshot) -> TransactionResult<Attempt<Answer>> in
                try snapshot.checkEncryption(by: master)
                return decide(fresh, results, queries, snapshot)
            }
            switch attempt {
            case .done(let answer): return answer
            case .noTenant: return nil
            case .numberTaken(let next): number = next
            }
        }
        throw .catalogBusy
    }

    private static let plan = CatalogQueryPlan(isAlone: true, Queries.init)

    private struct Queries: Sendable {
        let keys: RowsQuery<SigningKeyRecord>
        let prepared: RowQuery<SigningKeyRecord.Prepared>
        let marks: TenantMarks

        init(_ query: inout QueryBuilder<TenantID>) {
            keys = query.rows(SigningKeyRecord.ofTenant, upTo: 10_000) { [.of($0)] }
            prepared = query.row(SigningKeyRecord.Prepared.table.key) { [.of($0)] }
            marks = query.part(TenantMarks.init) { [$0] }
        }

        /// The number to use if another process has taken the new key's number; `nil` if that number is still free.
        func numberInstead(of fresh: SigningKeyRecord, in results: QueryResult) -> Int? {
            let next = LeaseKey.nextNumber(beside: results[keys] + [results[prepared]?.promoted].compactMap(\.self))
            return LeaseKey.number(of: fresh.kid) == next ? nil : next
        }
    }

    /// The result of one attempt with a key that was made beforehand.
    private enum Attempt<Answer: Sendable>: Sendable {
        case done(Answer)
        case noTenant
        /// Another key has the number by now; the value is the number to try next.
        case numberTaken(Int)
    }

    private func makeLeaseKey(
        _ name: String, for tenant: TenantID, under master: MasterKey, at now: Timestamp
    ) throws(ServerError) -> SigningKeyRecord {
        do throws(CryptoError) {
            return try LeaseKey.make(for: tenant, named: name, under: master, at: now)
        } catch {
            throw ServerError(.crypto, "A new signing key couldn't be created.", cause: error.code.text)
        }
    }
}

extension SigningKeyRecord {
    /// The state of this key after a newer key has become the primary one.
    ///
    /// - Parameter least: The minimum time for which the key's signatures are assumed to stay valid.
    func afterRotation(at now: Timestamp, least: SignedSpan) -> SigningKeyRecord {
        var key = self
        switch status {
        case .primary:
            key.status = .retiring
            key.publishedUntil = max(span ?? least, least).end(signedUntil: now)
        case .retiring where publishedUntil.map { $0 <= now } ?? false:
            key.status = .retired
        case .retiring, .retired:
            break
        }
        return key
    }
}
