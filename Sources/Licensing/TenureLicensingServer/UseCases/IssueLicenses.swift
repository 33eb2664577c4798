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

        /// Creates an order from its parts.
        public init(product: ProductRef, policy: PolicyID, terms: [LicenseTerms.FieldChange] = [], count: Int = 1) {
            self.product = product
            self.policy = policy
            self.terms = terms
            self.count = count
        }
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
        let order: Order
        let prefix: LicenseKeyPrefix
        let minted: [(text: LicenseKeyText, id: LicenseID)]
        let now: Timestamp
        /// The licenses to be issued, each with the only copy of its key's full text.
        public let issued: [Issued]

        /// The licenses to issue under a policy, with their writes and events.
        func consequences(under policy: Policy, by actor: Actor) -> [(issued: Issued, consequences: Consequences)] {
            let terms = LicenseTerms(under: policy, from: now, order.terms)
            return minted.compactMap { text, id in
                let consequences = License.issue(
                    id: id, product: order.product, key: text.kept(under: prefix), terms: terms, by: actor, at: now)
                return consequences.license.map { (Issued(license: $0, keyText: text.text), consequences) }
            }
        }
    }

    /// Mints the keys of an order without issuing anything, so that the caller can store them safely first.
    ///
    /// Returns `nil` if the product or the policy doesn't exist. Throws ``ServerError``.
    public func draft(_ order: Order, by actor: Actor) async throws(ServerError) -> Draft? {
        guard let product = try await licensing.catalog.refreshIfChanged().catalog[order.product],
            let policy = product.policies[order.policy]
        else { return nil }
        let draft = draw(order, of: product)
        return Draft(
            order: order, prefix: draft.prefix, minted: draft.minted, now: draft.now,
            issued: draft.consequences(under: policy, by: actor).map(\.issued))
    }

    private func draw(_ order: Order, of product: Product) -> Draft {
        var random = licensing.randomness.generator()
        let minted = (0..<order.count).map { _ in
            (LicenseKeyText.mint(prefix: product.keyPrefix, using: &random), LicenseID.random(using: &random))
        }
        return Draft(order: order, prefix: product.keyPrefix, minted: minted, now: licensing.clock.now(), issued: [])
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
        remembering: @escaping @Sendable ([Issued]?) -> [UInt8]?
    ) async throws(ServerError) -> IdempotentOutcome<[Issued]?> {
        guard let product = try await licensing.catalog.refreshIfChanged().catalog[order.product] else {
            return .done(nil)
        }
        return try await save(request, draw(order, of: product), by: actor, remembering: remembering) { _ in true }
    }

    /// Saves a draft.
    ///
    /// - Parameter isMeant: Checks the licenses before they're saved; nothing is issued if it returns false.
    private func save(
        _ request: RepeatableRequest?, _ draft: Draft, by actor: Actor,
        remembering: @escaping @Sendable ([Issued]?) -> [UInt8]?, where isMeant: @escaping @Sendable ([Issued]) -> Bool
    ) async throws(ServerError) -> IdempotentOutcome<[Issued]?> {
        let product = draft.order.product
        let keys = draft.minted.map { $0.text.kept(under: draft.prefix) }
        let bound = Self.plan.bind(request, .init(product: product, keys: keys))
        let message = "A key generated for \(product) is already in use. Nothing was issued; try again."
        do throws(ServerError) {
            return try await licensing.catalog.performOnce(request, at: draft.now, bound, remembering: remembering) {
                (results, former, snapshot) -> TransactionResult<[Issued]?> in
                guard results[former].isEmpty else { throw ServerError(.keyTaken, message) }
                guard let policy = snapshot.catalog[product]?.policies[draft.order.policy] else {
                    return TransactionResult(nil)
                }
                let granted = draft.consequences(under: policy, by: actor)
                let issued = granted.map(\.issued)
                return isMeant(issued)
                    ? TransactionResult(issued, granted.flatMap { [RowWrite]($0.consequences) })
                    : TransactionResult(nil)
            }
        } catch {
            throw error.told(.keyTaken, message, where: License.byKey)
        }
    }

    /// Returns those of the ids that no license has.
    public static func missing(_ ids: [LicenseID], in store: any Store) async throws(ServerError) -> Set<LicenseID> {
        let plan = licenses
        let results = try await asking { try await store.fetch(plan.bind(ids)) }
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
