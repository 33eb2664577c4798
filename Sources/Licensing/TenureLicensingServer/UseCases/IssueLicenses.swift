public import TenureCore
public import TenureLicensing
public import TenureServerKit
public import TenureStore

/// Issues licenses with newly minted keys.
public struct IssueLicenses: Sendable {
    let licensing: LicensingContext

    /// Creates the use case.
    public init(_ licensing: LicensingContext) { self.licensing = licensing }

    /// The licenses to issue.
    public struct Order: Sendable {
        /// The product.
        public var product: ProductRef
        /// The policy.
        public var policy: PolicyID
        /// The other fields; what isn't named follows from the policy.
        public var terms: [LicenseTerms.FieldChange]
        /// The number of licenses.
        public var count: Int
        /// Whether a letter sends the keys to the holder.
        public var isMailed: Bool

        /// Creates an order from its parts.
        public init(
            product: ProductRef, policy: PolicyID, terms: [LicenseTerms.FieldChange] = [], count: Int = 1,
            isMailed: Bool = false
        ) {
            self.product = product
            self.policy = policy
            self.terms = terms
            self.count = count
            self.isMailed = isMailed
        }

        var rows: [Row] { Array(repeating: Row(policy: policy, terms: terms), count: count) }
    }

    /// One license and the only copy of its key's full text.
    public struct Issued: Sendable {
        /// The license as issued.
        public let license: License
        /// The key's full text, to be shown once.
        public let keyText: String
    }

    /// An order with the keys minted for it; it shows what will be issued unless the policy changes first.
    public struct Draft: Sendable {
        let product: ProductRef
        let prefix: LicenseKeyPrefix
        let minted: [Minted]
        let now: Timestamp
        /// An id for each letter with the keys, by its address; `nil` if no letters are sent.
        let letters: [FoldedText: MailID]?
        /// The licenses to be issued, each with the only copy of its key's full text.
        public let issued: [Issued]

        /// The licenses to issue under the product's policies, with their writes and events.
        ///
        /// Returns `nil` if a policy no longer exists.
        func consequences(
            under policies: [PolicyID: Policy], by actor: Actor
        ) -> [(issued: Issued, consequences: Consequences)]? {
            var all: [(issued: Issued, consequences: Consequences)] = []
            all.reserveCapacity(minted.count)
            for minted in minted {
                guard let policy = policies[minted.row.policy] else { return nil }
                let consequences = License.issue(
                    id: minted.id, product: product, key: minted.text.stored(under: prefix),
                    derivation: minted.derivation, terms: LicenseTerms(under: policy, from: now, minted.row.terms),
                    by: actor, at: now)
                if let license = consequences.license {
                    all.append((Issued(license: license, keyText: minted.text.text), consequences))
                }
            }
            return all
        }

        /// The writes of the letters with the keys; `nil` if letters are asked for and can't be sent.
        func letters(for licenses: [License], from tenant: Tenant?) -> [RowWrite]? {
            guard let letters else { return [] }
            return Mail.keys(of: licenses, letters, from: tenant, at: now)?.flatMap(\.sending)
        }
    }

    /// One license of an order.
    public struct Row: Sendable, Hashable {
        /// The policy.
        public var policy: PolicyID
        /// The other fields; what isn't named follows from the policy.
        public var terms: [LicenseTerms.FieldChange]
    }

    /// A license with its key and its id.
    struct Minted: Sendable {
        let row: Row
        let text: LicenseKeyText
        let id: LicenseID
        /// From what the key was derived; `nil` for a random key.
        var derivation: LicenseKey.Derivation?
    }

    /// Mints the keys of an order without issuing anything, so that the caller can store them safely first.
    ///
    /// Returns `nil` if the product or the policy doesn't exist. Throws ``ServerError``.
    public func draft(_ order: Order, by actor: Actor) async throws(ServerError) -> Draft? {
        try await draft(order.rows, of: order.product, isMailed: order.isMailed, by: actor)
    }

    /// Mints the keys of different licenses of one product, as for an order.
    func draft(
        _ rows: [Row], of product: ProductRef, isMailed: Bool, by actor: Actor
    ) async throws(ServerError) -> Draft? {
        let roots = try await roots(of: product.tenant, isMailed: isMailed)
        return try await draft(of: product, by: actor) { product throws(ServerError) in
            try draw(rows, of: product, from: roots)
        }
    }

    /// Prepares licenses whose keys and ids were minted before, but which weren't issued.
    ///
    /// Keys of letters must have been derived.
    func draft(
        again minted: [Minted], of product: ProductRef, isMailed: Bool, by actor: Actor
    ) async throws(ServerError) -> Draft? {
        let now = licensing.clock.now()
        let roots = try await roots(of: product.tenant, isMailed: isMailed)
        return try await draft(of: product, by: actor) { product throws(ServerError) in
            var minted = minted
            if let roots {
                for index in minted.indices {
                    minted[index].derivation = try roots.derivation(
                        ofFirst: minted[index].text, of: minted[index].id, prefix: product.keyPrefix)
                }
            }
            return Draft(
                product: product.ref, prefix: product.keyPrefix, minted: minted, now: now,
                letters: roots.map { _ in letterIDs(for: minted.map(\.row)) }, issued: [])
        }
    }

    private func draft(
        of product: ProductRef, by actor: Actor, _ draw: (Product) throws(ServerError) -> Draft
    ) async throws(ServerError) -> Draft? {
        guard let product = try await licensing.catalog.refreshIfChanged().catalog[product] else { return nil }
        let draft = try draw(product)
        guard let issued = draft.consequences(under: product.policies, by: actor)?.map(\.issued) else { return nil }
        return Draft(
            product: product.ref, prefix: draft.prefix, minted: draft.minted, now: draft.now, letters: draft.letters,
            issued: issued)
    }

    /// Draws the keys and ids; the keys are derived if there are roots.
    private func draw(_ rows: [Row], of product: Product, from roots: KeyRoots?) throws(ServerError) -> Draft {
        var random = licensing.randomness.generator()
        var minted: [Minted] = []
        minted.reserveCapacity(rows.count)
        for row in rows {
            guard let roots else {
                let text = LicenseKeyText.mint(prefix: product.keyPrefix, using: &random)
                minted.append(Minted(row: row, text: text, id: LicenseID.random(using: &random)))
                continue
            }
            let id = LicenseID.random(using: &random)
            let key = try roots.newKey(of: id, generation: LicenseKey.Derivation.first, prefix: product.keyPrefix)
            minted.append(Minted(row: row, text: key.text, id: id, derivation: key.derivation))
        }
        return Draft(
            product: product.ref, prefix: product.keyPrefix, minted: minted, now: licensing.clock.now(),
            letters: roots.map { _ in letterIDs(for: rows) }, issued: [])
    }

    /// The roots of the tenant's keys, if the order's keys are mailed.
    private func roots(of tenant: TenantID, isMailed: Bool) async throws(ServerError) -> KeyRoots? {
        guard isMailed else { return nil }
        // The master key may have been changed since the catalog was read.
        let master = try await licensing.catalog.refreshIfChanged().master
        return try await licensing.store.keyRoots(of: tenant, under: master)
    }

    private func letterIDs(for rows: [Row]) -> [FoldedText: MailID] {
        var random = licensing.randomness.generator()
        return Mail.ids(for: rows.compactMap { $0.terms.letterAddress }, using: &random)
    }

    /// Issues the licenses of a draft in one transaction; durable before this returns.
    ///
    /// Returns false and issues nothing if the policy no longer exists or would now issue something else. Throws
    /// ``ServerError`` and issues nothing on failure, with the code `key_taken` if a minted key belongs to another
    /// license.
    public func callAsFunction(_ draft: Draft, by actor: Actor) async throws(ServerError) -> Bool {
        let once = try await save(nil, draft, by: actor, remembering: { _ in nil }) { issued in
            issued.map(\.license) == draft.issued.map(\.license)
        }
        guard case .done(let issued) = once else { return false }
        let tenant = draft.product.tenant
        // Otherwise, a command would draft the same letters again and again.
        if issued == nil, draft.letters != nil, licensing.catalog.current.catalog.tenants[tenant]?.mail == nil {
            throw ServerError(.catalogInconsistent, Catalog.mailNotSetUp(for: tenant))
        }
        return issued != nil
    }

    /// Issues the licenses of one order in one transaction; durable before this returns.
    ///
    /// Returns `nil` if the product or the policy doesn't exist. Throws ``ServerError`` and issues nothing on failure,
    /// with the code `key_taken` if a minted key belongs to another license.
    public func callAsFunction(_ order: Order, by actor: Actor) async throws(ServerError) -> [Issued]? {
        guard case .done(let issued) = try await once(nil, order, by: actor, remembering: { _ in nil }) else {
            return nil
        }
        return issued
    }

    /// Issues an order with an idempotency record.
    func once(
        _ request: RepeatableRequest?, _ order: Order, by actor: Actor,
        remembering: @escaping @Sendable ([Issued]?) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<[Issued]?> {
        guard let product = try await licensing.catalog.refreshIfChanged().catalog[order.product] else {
            return .done(nil)
        }
        let roots = try await roots(of: order.product.tenant, isMailed: order.isMailed)
        return try await save(
            request, draw(order.rows, of: product, from: roots), by: actor, remembering: remembering
        ) { _ in true }
    }

    /// Saves a draft.
    ///
    /// - Parameter isMeant: Checks the licenses before they're saved; nothing is issued if it returns false.
    private func save(
        _ request: RepeatableRequest?, _ draft: Draft, by actor: Actor,
        remembering: @escaping @Sendable ([Issued]?) -> RepeatableAnswer?,
        where isMeant: @escaping @Sendable ([Issued]) -> Bool
    ) async throws(ServerError) -> IdempotentOutcome<[Issued]?> {
        let product = draft.product
        let keys = draft.minted.map { $0.text.stored(under: draft.prefix) }
        let bound = Self.plan.bind(request, .init(product: product, keys: keys))
        let message = "A key generated for \(product) is already in use. Nothing was issued; try again."
        do throws(ServerError) {
            return try await licensing.catalog.performOnce(request, at: draft.now, bound, remembering: remembering) {
                (results, former, snapshot) -> TransactionResult<[Issued]?> in
                guard results[former].isEmpty else { throw ServerError(.keyTaken, message) }
                guard let policies = snapshot.catalog[product]?.policies,
                    let granted = draft.consequences(under: policies, by: actor)
                else { return TransactionResult(nil) }
                let issued = granted.map(\.issued)
                let tenant = snapshot.catalog.tenants[product.tenant]
                guard isMeant(issued), let letters = draft.letters(for: issued.map(\.license), from: tenant) else {
                    return TransactionResult(nil)
                }
                return TransactionResult(issued, granted.flatMap { [RowWrite]($0.consequences) } + letters)
            }
        } catch {
            throw error.recoded(.keyTaken, message, where: License.byKey)
        }
    }

    /// Returns those of the ids that no license has.
    public static func missing(_ ids: [LicenseID], in store: any Store) async throws(ServerError) -> Set<LicenseID> {
        let plan = licenses
        let results = try await ServerStore(store).fetch(plan.bind(ids))
        return Set(ids).subtracting(results[plan.queries].map(\.id))
    }

    private static let licenses = QueryPlan(for: [LicenseID].self) { query in
        query.each(License.table.key) { $0.map(StoredValue.of) }
    }

    /// Reads which of the minted keys a license had before.
    private struct Parameters: Sendable {
        let product: ProductRef
        let keys: [LicenseKey]
    }

    private static let plan = IdempotentQueryPlan(for: Parameters.self) { query in
        query.each(FormerKey.table.key) { bound in
            bound.keys.flatMap { [.of(bound.product.tenant), .of(bound.product.product), .of($0.hash)] }
        }
    }
}
