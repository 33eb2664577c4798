import Synchronization
package import TenureCore
package import TenureStore

/// A store that watches how it is used, for tests of what stands on it.
///
/// Every decision is made twice. One that comes to something else the second time has drawn, sealed, read a clock or
/// kept something back, and its change fails. So whatever runs on this store shows that its decisions are pure.
package final class WatchedStore: Store {
    private let inner: any Store
    private let state = Mutex(State())

    private struct State {
        var changes = 0
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// Watches a store.
    package init(_ inner: any Store) { self.inner = inner }

    /// How many changes were carried out, or tried: what went through the writer.
    package var changes: Int { state.withLock { $0.changes } }

    /// Lets no change through until ``letGo()``.
    package func hold() { state.withLock { $0.isHeld = true } }

    /// Lets all changes through that came in the meantime, at once.
    package func letGo() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isHeld = false
            return state.waiting
        }
        for change in waiting { change.resume() }
    }

    /// Carries out a change whose decision is made twice. Throws also when it came to two things.
    package func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        await withCheckedContinuation { caller in
            let isLetThrough = state.withLock { state in
                state.changes += 1
                if state.isHeld { state.waiting.append(caller) }
                return !state.isHeld
            }
            if isLetThrough { caller.resume() }
        }
        let difference = Mutex<String?>(nil)
        let answer = try await inner.perform(
            change.deciding { loaded in
                let (first, second) = (change.decide(loaded), change.decide(loaded))
                if first.writes != second.writes {
                    difference.withLock { $0 = "\(first.writes) and \(second.writes)" }
                } else if "\(first.answer)" != "\(second.answer)" {
                    difference.withLock { $0 = "\(first.answer) and \(second.answer)" }
                }
                return first
            })
        if let difference = difference.withLock({ $0 }) {
            throw StoreError(.impureDecision, "A decision made twice came to \(difference).")
        }
        return answer
    }
}

extension StoreError.Code {
    /// A decision is not pure; nothing but a ``WatchedStore`` notices.
    package static let impureDecision = StoreError.Code("impure_decision")
}

extension Change {
    /// The same change with another decision.
    fileprivate func deciding(_ decide: @escaping @Sendable (Loaded) -> Saving<Answer>) -> Change<Answer> {
        Change(loading: keys, yielding: yields, decide: decide)
    }
}

// What is only passed on.
extension WatchedStore {
    package func validation(of activation: ActivationID, for key: Digest, in product: ProductRef)
        async throws(StoreError) -> ValidationRecord
    {
        try await inner.validation(of: activation, for: key, in: product)
    }

    package func catalog() async throws(StoreError) -> Catalog {
        try await inner.catalog()
    }

    package func catalogVersion() async throws(StoreError) -> Int64 {
        try await inner.catalogVersion()
    }

    package func signingKeys() async throws(StoreError) -> [SigningKeyRecord] {
        try await inner.signingKeys()
    }

    package func tokens(of tenant: TenantID?) async throws(StoreError) -> [TokenRecord] {
        try await inner.tokens(of: tenant)
    }

    package func licenses(matching name: LicenseName) async throws(StoreError) -> [License] {
        try await inner.licenses(matching: name)
    }

    package func licenses(_ filter: LicenseFilter, after cursor: LicenseID?, limit: Int) async throws(StoreError)
        -> [License]
    {
        try await inner.licenses(filter, after: cursor, limit: limit)
    }

    package func activations(of license: LicenseID, includingReleased: Bool) async throws(StoreError) -> [Activation] {
        try await inner.activations(of: license, includingReleased: includingReleased)
    }

    package func activation(_ id: ActivationID) async throws(StoreError) -> Activation? {
        try await inner.activation(id)
    }

    package func trial(_ name: TrialName) async throws(StoreError) -> Trial? {
        try await inner.trial(name)
    }

    package func events(_ filter: EventFilter, after cursor: Int64, limit: Int) async throws(StoreError)
        -> [EventRecord]
    {
        try await inner.events(filter, after: cursor, limit: limit)
    }

    package func marketplaceKeys() async throws(StoreError) -> [MarketplaceKeyRecord] {
        try await inner.marketplaceKeys()
    }

    package func appAssets(_ refs: [AssetRef], of tenant: TenantID) async throws(StoreError) -> [AppAsset] {
        try await inner.appAssets(refs, of: tenant)
    }

    package func accounts(of tenant: TenantID, after cursor: AccountID?, limit: Int) async throws(StoreError)
        -> [Account]
    {
        try await inner.accounts(of: tenant, after: cursor, limit: limit)
    }

    package func account(_ ref: AccountRef) async throws(StoreError) -> Account? {
        try await inner.account(ref)
    }

    package func account(email: String, of tenant: TenantID) async throws(StoreError) -> Account? {
        try await inner.account(email: email, of: tenant)
    }

    package func credential(_ hash: Digest) async throws(StoreError) -> AccountCredential? {
        try await inner.credential(hash)
    }

    package func licenseCredential(_ hash: Digest) async throws(StoreError) -> LicenseCredential? {
        try await inner.licenseCredential(hash)
    }

    package func appGrants(of account: AccountRef) async throws(StoreError) -> [AppGrant] {
        try await inner.appGrants(of: account)
    }

    package func appRight(of account: AccountRef, to item: AppleItemID, at now: Timestamp) async throws(StoreError)
        -> AppRight
    {
        try await inner.appRight(of: account, to: item, at: now)
    }

    package func appLicense(_ id: LicenseID) async throws(StoreError) -> AppLicense? {
        try await inner.appLicense(id)
    }

    package func appLicenses(_ filter: AppLicenseFilter, after cursor: LicenseID?, limit: Int) async throws(StoreError)
        -> [AppLicense]
    {
        try await inner.appLicenses(filter, after: cursor, limit: limit)
    }

    package func renewalRisk(at now: Timestamp) async throws(StoreError) -> [RenewalRisk] {
        try await inner.renewalRisk(at: now)
    }

    package func census() async throws(StoreError) -> Census {
        try await inner.census()
    }

    package func setting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try await inner.setting(name)
    }

    package func recordSightings(_ sightings: [ActivationID: Timestamp]) async throws(StoreError) {
        try await inner.recordSightings(sightings)
    }

    package func licensesToExpire(at now: Timestamp, limit: Int) async throws(StoreError) -> [LicenseID] {
        try await inner.licensesToExpire(at: now, limit: limit)
    }

    package func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        try await inner.backup(to: path, progress: progress)
    }

    package func lead(_ role: Role) async -> Bool {
        await inner.lead(role)
    }

    package func snapshot() async throws(StoreError) -> any StoreSnapshot {
        try await inner.snapshot()
    }

    package func adopt(_ page: StorePage) async throws(StoreError) {
        try await inner.adopt(page)
    }

    package func integrityFaults() async throws(StoreError) -> [String] {
        try await inner.integrityFaults()
    }

    package func close() async {
        await inner.close()
    }
}
