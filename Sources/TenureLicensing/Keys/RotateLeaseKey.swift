public import TenureCore
import TenureCrypto
public import TenureServerKit
import TenureStore

/// Gives a tenant a new signing key, or publishes one that will be; the old one stays published while leases that it
/// signed may still be held.
public struct RotateLeaseKey: Sendable {
    let catalog: CatalogCache
    let master: MasterKey
    let clock: any WallClock

    /// Rotates under a catalog, sealing with a master key.
    public init(catalog: CatalogCache, master: MasterKey, clock: any WallClock) {
        self.catalog = catalog
        self.master = master
        self.clock = clock
    }

    /// Makes a key primary and the old one retiring; durable before this returns. It is the key that was prepared, or a
    /// new one when none was.
    ///
    /// The old key stays published until everything has ended that it may have signed, by the longest that any policy
    /// allowed while it signed, plus the skew allowance; or longer if asked for. Where that has no end it stays until it is
    /// withdrawn. Keys whose overlap has passed are retired. Answers nil when there is no such tenant. Throws ``ServerError``.
    public func callAsFunction(
        _ tenant: TenantID, overlapDays: Int? = nil
    ) async throws(ServerError) -> [SigningKeyRecord]? {
        let now = clock.now()
        return try await withNewKey(for: tenant, at: now) { fresh, seen, looks, snapshot in
            guard let offered = snapshot.catalog.tenants[tenant] else { return Saving(.noTenant) }
            let (stored, (prepared, stale)) = (seen[looks.keys], looks.preparation(in: seen))
            if let next = looks.nameInstead(of: fresh, in: seen), prepared == nil { return Saving(.nameTaken(next)) }
            var key = prepared?.promoted ?? fresh
            key.span = offered.signedSpan
            let least = max(SignedSpan(days: overlapDays ?? 0), offered.signedSpan)
            let old = stored.map { $0.afterRotation(at: now, least: least) }
            let saves =
                zip(stored, old).map { Save.replace($0, by: $1) }
                + [prepared, stale].compactMap(\.self).map { .remove($0) }
            return Saving(.done(old + [key]), saves + [.insert(key)] + looks.marks.raised(for: [tenant], in: seen))
        }
    }

    /// Publishes a key that will sign after the next rotation; durable before this returns. Whether this call made it:
    /// when one is prepared already, nothing changes.
    ///
    /// Answers nil when there is no such tenant. Throws ``ServerError``.
    public func prepare(_ tenant: TenantID) async throws(ServerError) -> (key: PreparedKey, isNew: Bool)? {
        try await withNewKey(for: tenant, at: clock.now()) { fresh, seen, looks, snapshot in
            guard snapshot.catalog.tenants[tenant] != nil else { return Saving(.noTenant) }
            let (prepared, stale) = looks.preparation(in: seen)
            if let prepared { return Saving(.done((prepared, false))) }
            if let next = looks.nameInstead(of: fresh, in: seen) { return Saving(.nameTaken(next)) }
            let key = PreparedKey(fresh)
            return Saving(.done((key, true)), [.put(key, over: stale)] + looks.marks.raised(for: [tenant], in: seen))
        }
    }

    /// What became of a key that was to be withdrawn.
    public enum Withdrawal: Sendable, Hashable {
        /// It is published no more; whether that is news.
        case withdrawn(isNew: Bool)
        /// The tenant has no key of that name.
        case unknown
        /// It signs: another has to, first.
        case signs
        /// It will sign next, and has signed nothing.
        case prepared
    }

    /// Stops publishing a key; durable before this returns. Clients drop it with the next keyset that they read, and ask
    /// anew for what it signed.
    public func withdraw(_ kid: String, of tenant: TenantID) async throws(ServerError) -> Withdrawal {
        let now = clock.now()
        let asked = Self.form.asked(.of(tenant), .of(tenant), lists: [[.of(tenant)]])
        return try await catalog.perform(asked) { seen, looks, _ in
            guard let key = seen[looks.keys].first(where: { $0.kid == kid }) else {
                return Saving(looks.preparation(in: seen).key?.kid == kid ? .prepared : .unknown)
            }
            switch key.standing {
            case .primary: return Saving(.signs)
            case .retired: return Saving(.withdrawn(isNew: false))
            case .retiring:
                var gone = key
                gone.standing = .retired
                gone.publishedUntil = now
                return Saving(
                    .withdrawn(isNew: true),
                    [.replace(key, by: gone)] + looks.marks.raised(for: [tenant], in: seen))
            }
        }
    }

    /// Decides with a key that is made and sealed beforehand; nil when there is no such tenant.
    private func withNewKey<Answer: Sendable>(
        for tenant: TenantID, at now: Timestamp,
        decide: @escaping @Sendable (SigningKeyRecord, Seen, Looks, CatalogSnapshot) -> Saving<Attempt<Answer>>
    ) async throws(ServerError) -> Answer? {
        let known = try await asking { () async throws(StoreError) in try await catalog.store.signingKeys(of: tenant) }
        var name = LeaseKey.nextName(beside: known)
        try await catalog.refresh()
        for _ in 0..<CatalogCache.attempts {
            let fresh = try make(name, for: tenant, at: now)
            let asked = Self.form.asked(.of(tenant), .of(tenant), lists: [[.of(tenant)]])
            let attempt = try await catalog.perform(asked) { seen, looks, snapshot in
                decide(fresh, seen, looks, snapshot)
            }
            switch attempt {
            case .done(let answer): return answer
            case .noTenant: return nil
            case .nameTaken(let next): name = next
            }
        }
        throw .catalogBusy
    }

    private static let form = CatalogForm(isAlone: true, Looks.init)

    /// The keys of a tenant.
    private struct Looks: Sendable {
        let keys: RowsLook<SigningKeyRecord>
        let prepared: RowLook<PreparedKey>
        let marks: TenantMarks

        init(_ ask: inout Asking) {
            keys = ask.rows(SigningKeyRecord.ofTenant, upTo: 10_000)
            prepared = ask.row(PreparedKey.table.key)
            marks = TenantMarks(&ask)
        }

        /// The key that was prepared; stale when its name belongs to another one by now: a program that knows of no
        /// preparation rotated meanwhile.
        func preparation(in seen: Seen) -> (key: PreparedKey?, stale: PreparedKey?) {
            guard let key = seen[prepared] else { return (nil, nil) }
            return seen[keys].contains { $0.kid == key.kid } ? (nil, key) : (key, nil)
        }

        /// The name that a new key has to have when somebody else made one in between; nil when it has it.
        func nameInstead(of fresh: SigningKeyRecord, in seen: Seen) -> String? {
            let next = LeaseKey.nextName(beside: seen[keys] + [preparation(in: seen).key?.promoted].compactMap(\.self))
            return fresh.kid == next ? nil : next
        }
    }

    /// What an attempt with a key that was made beforehand comes to.
    private enum Attempt<Answer: Sendable>: Sendable {
        case done(Answer)
        case noTenant
        /// The name belongs to another key by now; this is the next one.
        case nameTaken(String)
    }

    private func make(
        _ name: String, for tenant: TenantID, at now: Timestamp
    ) throws(ServerError) -> SigningKeyRecord {
        do throws(CryptoError) {
            return try LeaseKey.make(for: tenant, named: name, under: master, at: now)
        } catch {
            throw ServerError(.crypto, "A new signing key could not be made.", cause: error.code.text)
        }
    }
}

extension SigningKeyRecord {
    /// What becomes of a key when a newer one is made.
    /// - Parameter least: How long what it signed is taken to hold, whatever is known of that.
    func afterRotation(at now: Timestamp, least: SignedSpan) -> SigningKeyRecord {
        var key = self
        switch standing {
        case .primary:
            key.standing = .retiring
            key.publishedUntil = max(span ?? least, least).end(signedUntil: now)
        case .retiring where publishedUntil.map { $0 <= now } ?? false:
            key.standing = .retired
        case .retiring, .retired:
            break
        }
        return key
    }
}
