package import TenureCore
import TenureLicensing
package import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Mints the keys of an order without issuing anything, so that the caller can store them safely first.
    ///
    /// Returns `nil` if the product or the policy doesn't exist. Throws ``ServerError``.
    func draftLicenses(_ order: LicenseOrder, by actor: Actor) async throws(ServerError) -> LicenseDraft? {
        try await draftLicenses(order.rows, of: order.product, isMailed: order.isMailed, by: actor)
    }

    /// Mints the keys of different licenses of one product, as for an order. Returns `nil` if the product or a policy
    /// doesn't exist.
    func draftLicenses(
        _ rows: [LicenseOrder.Row], of product: ProductRef, isMailed: Bool, by actor: Actor
    ) async throws(ServerError) -> LicenseDraft? {
        let roots = try await roots(of: product.tenant, isMailed: isMailed)
        return try await draft(of: product, by: actor) { product throws(ServerError) in
            try draw(rows, of: product, from: roots)
        }
    }

    /// Prepares licenses whose keys and ids were minted before, but which weren't issued.
    ///
    /// Keys of letters must have been derived. Returns `nil` if the product or a policy doesn't exist.
    func draftLicenses(
        again minted: [MintedLicense], of product: ProductRef, isMailed: Bool, by actor: Actor
    ) async throws(ServerError) -> LicenseDraft? {
        let now = clock.now()
        let roots = try await roots(of: product.tenant, isMailed: isMailed)
        return try await draft(of: product, by: actor) { product throws(ServerError) in
            var minted = minted
            if let roots {
                for index in minted.indices {
                    minted[index].derivation = try roots.derivation(
                        ofFirst: minted[index].text, of: minted[index].id, prefix: product.keyPrefix)
                }
            }
            return LicenseDraft(
                product: product.ref, prefix: product.keyPrefix, minted: minted, now: now,
                letters: roots.map { _ in letterIDs(for: minted.map(\.row)) }, issued: [])
        }
    }

    private func draft(
        of product: ProductRef, by actor: Actor, _ draw: (Product) throws(ServerError) -> LicenseDraft
    ) async throws(ServerError) -> LicenseDraft? {
        guard let product = try await catalog.refreshIfChanged().catalog[product] else { return nil }
        let draft = try draw(product)
        guard let issued = draft.consequences(under: product.policies, by: actor)?.map(\.issued) else { return nil }
        return LicenseDraft(
            product: product.ref, prefix: draft.prefix, minted: draft.minted, now: draft.now, letters: draft.letters,
            issued: issued)
    }

    /// Generates the keys and ids; the keys are derived if there are roots.
    private func draw(_ rows: [LicenseOrder.Row], of product: Product, from roots: KeyRoots?) throws(ServerError)
        -> LicenseDraft
    {
        var random = randomness.generator()
        var minted: [MintedLicense] = []
        minted.reserveCapacity(rows.count)
        for row in rows {
            guard let roots else {
                let text = LicenseKeyText.mint(prefix: product.keyPrefix, using: &random)
                minted.append(MintedLicense(row: row, text: text, id: LicenseID.random(using: &random)))
                continue
            }
            let id = LicenseID.random(using: &random)
            let key = try roots.newKey(of: id, generation: LicenseKey.Derivation.first, prefix: product.keyPrefix)
            minted.append(MintedLicense(row: row, text: key.text, id: id, derivation: key.derivation))
        }
        return LicenseDraft(
            product: product.ref, prefix: product.keyPrefix, minted: minted, now: clock.now(),
            letters: roots.map { _ in letterIDs(for: rows) }, issued: [])
    }

    /// Returns the roots of the tenant's keys if the order's keys are mailed; otherwise `nil`.
    private func roots(of tenant: TenantID, isMailed: Bool) async throws(ServerError) -> KeyRoots? {
        guard isMailed else { return nil }
        // The master key may have been changed since the catalog was read.
        let master = try await catalog.refreshIfChanged().master
        return try await store.keyRoots(of: tenant, under: master)
    }

    private func letterIDs(for rows: [LicenseOrder.Row]) -> [FoldedText: MailID] {
        var random = randomness.generator()
        return Mail.ids(for: rows.compactMap { $0.terms.letterAddress }, using: &random)
    }

    /// Issues the licenses of a draft in one transaction; durable before this returns.
    ///
    /// Returns false and issues nothing if the policy no longer exists or would now issue something else. Throws
    /// ``ServerError`` and issues nothing on failure, with the code `key_taken` if a minted key belongs to another
    /// license.
    func issue(_ draft: LicenseDraft, by actor: Actor) async throws(ServerError) -> Bool {
        let once = try await save(nil, draft, by: actor, remembering: { _ in nil }) { issued in
            issued.map(\.license) == draft.issued.map(\.license)
        }
        guard case .done(let issued) = once else { return false }
        let tenant = draft.product.tenant
        // Otherwise, a command would draft the same letters again and again.
        if issued == nil, draft.letters != nil, catalog.current.catalog.tenants[tenant]?.mail == nil {
            throw ServerError(.catalogInconsistent, Catalog.mailNotSetUp(for: tenant))
        }
        return issued != nil
    }

    /// Issues the licenses of one order in one transaction; durable before this returns.
    ///
    /// Returns `nil` if the product or the policy doesn't exist. Throws ``ServerError`` and issues nothing on failure,
    /// with the code `key_taken` if a minted key belongs to another license.
    package func issueLicenses(_ order: LicenseOrder, by actor: Actor) async throws(ServerError) -> [IssuedLicense]? {
        guard case .done(let issued) = try await issueLicensesOnce(nil, order, by: actor, remembering: { _ in nil })
        else {
            return nil
        }
        return issued
    }

    /// Issues an order with an idempotency record.
    func issueLicensesOnce(
        _ request: RepeatableRequest?, _ order: LicenseOrder, by actor: Actor,
        remembering: @escaping @Sendable ([IssuedLicense]?) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<[IssuedLicense]?> {
        guard let product = try await catalog.refreshIfChanged().catalog[order.product] else { return .done(nil) }
        let roots = try await roots(of: order.product.tenant, isMailed: order.isMailed)
        return try await save(
            request, draw(order.rows, of: product, from: roots), by: actor, remembering: remembering
        ) { _ in true }
    }

    /// Saves a draft.
    ///
    /// - Parameter isMeant: Checks the licenses before they're saved; nothing is issued if it returns false.
    private func save(
        _ request: RepeatableRequest?, _ draft: LicenseDraft, by actor: Actor,
        remembering: @escaping @Sendable ([IssuedLicense]?) -> RepeatableAnswer?,
        where isMeant: @escaping @Sendable ([IssuedLicense]) -> Bool
    ) async throws(ServerError) -> IdempotentOutcome<[IssuedLicense]?> {
        let product = draft.product
        let keys = draft.minted.map { $0.text.stored(under: draft.prefix) }
        let bound = Self.plan.bind(request, .init(product: product, keys: keys))
        let message = "A key generated for \(product) is already in use. Nothing was issued; try again."
        do throws(ServerError) {
            return try await catalog.performOnce(request, at: draft.now, bound, remembering: remembering) {
                (results, former, snapshot) -> TransactionResult<[IssuedLicense]?> in
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

    private struct KeysToIssue: Sendable {
        let product: ProductRef
        let keys: [LicenseKey]
    }

    /// Reads which of the minted keys a license had before.
    private static let plan = IdempotentQueryPlan(for: KeysToIssue.self) { query in
        query.each(FormerKey.table.key) { bound in
            bound.keys.flatMap { [.of(bound.product.tenant), .of(bound.product.product), .of($0.hash)] }
        }
    }
}

extension ServerStore {
    /// Returns those of the ids that no license has.
    func missingLicenses(among ids: [LicenseID]) async throws(ServerError) -> Set<LicenseID> {
        let plan = LicenseQueryPlans.byIDs
        let results = try await fetch(plan.bind(ids))
        return Set(ids).subtracting(results[plan.queries].map(\.id))
    }
}
