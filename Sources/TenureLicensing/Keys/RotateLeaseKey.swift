public import TenureCore
import TenureCrypto
public import TenureServerKit
import TenureStore

/// Gives a tenant a new signing key; the old one stays published while leases that it signed may still be held.
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

    /// Makes the new key primary and the old one retiring; durable before this returns.
    ///
    /// The overlap is the longest lease of any of the tenant's policies, plus the skew allowance, or longer if asked for.
    /// Keys whose overlap has passed are retired. Answers nil when there is no such tenant. Throws ``ServerError``.
    public func callAsFunction(
        _ tenant: TenantID, overlapDays: Int? = nil
    ) async throws(ServerError) -> [SigningKeyRecord]? {
        let now = clock.now()
        let known = try await asking { () async throws(StoreError) in try await catalog.store.signingKeys() }
        var name = LeaseKey.nextName(beside: known.filter { $0.tenant == tenant })
        try await catalog.refresh()
        for _ in 0..<CatalogCache.attempts {
            let fresh = try make(name, for: tenant, at: now)
            let form = Self.form
            let attempt = try await catalog.perform(form.asked(.of(tenant), lists: [[.of(tenant)]])) {
                seen, looks, snapshot -> Saving<Attempt> in
                let keys = looks.keys
                guard let offered = snapshot.catalog.tenants[tenant] else { return Saving(.noTenant) }
                let next = LeaseKey.nextName(beside: seen[keys])
                // Another rotation came in between.
                guard fresh.kid == next else { return Saving(.nameTaken(next)) }
                let until = now.adding(days: max(overlapDays ?? 0, offered.longestLeaseDays))
                    .adding(seconds: Self.skewAllowance)
                let old = seen[keys].map { $0.afterRotation(at: now, publishedUntil: until) }
                let saves = zip(seen[keys], old).map { Save.replace($0, by: $1) }
                return Saving(
                    .rotated(old + [fresh]), saves + [.insert(fresh)] + looks.marks.raised(for: [tenant], in: seen))
            }
            switch attempt {
            case .rotated(let keys): return keys
            case .noTenant: return nil
            case .nameTaken(let next): name = next
            }
        }
        throw .catalogBusy
    }

    private static let form = CatalogForm(isAlone: true) { ask in
        (keys: ask.rows(SigningKeyRecord.ofTenant, upTo: 10_000), marks: TenantMarks(&ask))
    }

    /// What an attempt with a key that was made beforehand comes to.
    private enum Attempt {
        case rotated([SigningKeyRecord])
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

    /// Tolerated clock difference, in seconds (design §4).
    static let skewAllowance: Int64 = 300
}

extension SigningKeyRecord {
    /// What becomes of a key when a newer one is made.
    func afterRotation(at now: Timestamp, publishedUntil until: Timestamp) -> SigningKeyRecord {
        var key = self
        switch standing {
        case .primary:
            key.standing = .retiring
            key.publishedUntil = until
        case .retiring where publishedUntil.map { $0 <= now } ?? true:
            key.standing = .retired
        case .retiring, .retired:
            break
        }
        return key
    }
}

extension Tenant {
    /// The longest that any lease of the tenant may be held, signed product configuration included, in days.
    var longestLeaseDays: Int {
        let leases = products.values.flatMap { $0.policies.values.map(\.leaseDays) }
        return max(leases.max() ?? Policy.defaultLeaseDays, Product.configurationDays)
    }
}

extension Product {
    /// How long a signed product configuration is valid, in days.
    static let configurationDays = 30
}
