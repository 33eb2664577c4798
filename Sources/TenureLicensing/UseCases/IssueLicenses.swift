public import TenureCore
import TenureFormats
public import TenureServerKit
public import TenureStore

/// Grants licenses with freshly minted keys.
public struct IssueLicenses: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let randomness: Randomness

    /// Issues under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock, randomness: Randomness = .system) {
        self.catalog = catalog
        self.clock = clock
        self.randomness = randomness
    }

    /// What to grant.
    public struct Order: Sendable {
        /// Of which product.
        public var product: ProductRef
        /// Under which policy.
        public var policy: PolicyID
        /// To whom; nil when nobody is named.
        public var holder: String?
        /// When the term ends; nil for what the policy says.
        public var end: LicenseEdit.End?
        /// How many.
        public var count: Int

        /// States an order.
        public init(
            product: ProductRef, policy: PolicyID, holder: String? = nil, end: LicenseEdit.End? = nil, count: Int = 1
        ) {
            self.product = product
            self.policy = policy
            self.holder = holder
            self.end = end
            self.count = count
        }
    }

    /// One license and the only copy of its key's full text.
    public struct Issued: Sendable {
        /// The license as it was granted.
        public let license: License
        /// The key, to be shown once.
        public let keyText: String
    }

    /// An order with the keys that were drawn for it: what will be granted, unless the policy changes first.
    public struct Draft: Sendable {
        let order: Order
        let prefix: LicenseKeyPrefix
        let minted: [(text: LicenseKeyText, id: LicenseID)]
        let now: Timestamp
        /// The licenses to be, each with the only copy of its key's full text.
        public let issued: [Issued]

        /// What is granted under a policy.
        func consequences(under policy: Policy, by actor: Actor) -> [(issued: Issued, consequences: Consequences)] {
            minted.compactMap { text, id in
                let consequences = License.issue(
                    id: id, product: order.product, key: text.kept(under: prefix), policy: policy.id,
                    holder: order.holder, term: policy.term(from: now, ending: order.end), by: actor, at: now)
                return consequences.license.map { (Issued(license: $0, keyText: text.text), consequences) }
            }
        }
    }

    /// Draws keys for an order; nothing is granted yet, so that they can be put in a safe place first.
    ///
    /// Answers nil when the product or the policy does not exist. Throws ``ServerError``.
    public func draft(_ order: Order, by actor: Actor) async throws(ServerError) -> Draft? {
        guard let product = try await catalog.refreshIfChanged().catalog[order.product],
            let policy = product.policies[order.policy]
        else { return nil }
        let draft = draw(order, of: product)
        return Draft(
            order: order, prefix: draft.prefix, minted: draft.minted, now: draft.now,
            issued: draft.consequences(under: policy, by: actor).map(\.issued))
    }

    private func draw(_ order: Order, of product: Product) -> Draft {
        var random = randomness.generator()
        let minted = (0..<order.count).map { _ in
            (LicenseKeyText.mint(prefix: product.keyPrefix, using: &random), LicenseID.random(using: &random))
        }
        return Draft(order: order, prefix: product.keyPrefix, minted: minted, now: clock.now(), issued: [])
    }

    /// Grants the licenses of a draft in one transaction; durable before this returns.
    ///
    /// Answers false, and nothing was granted, when the policy is gone or would grant something else by now. Throws
    /// ``ServerError``; `key_taken`, and nothing was granted, when a key that was drawn is another license's.
    public func callAsFunction(_ draft: Draft, by actor: Actor) async throws(ServerError) -> Bool {
        let once = try await save(nil, draft, by: actor, remembering: { _ in nil }) { issued in
            issued.map(\.license) == draft.issued.map(\.license)
        }
        guard case .done(let issued) = once else { return false }
        return issued != nil
    }

    /// Grants the licenses of one order in one transaction; durable before this returns.
    ///
    /// Answers nil when the product or the policy does not exist. Throws ``ServerError``, and nothing was granted;
    /// `key_taken` when a key that was drawn is another license's.
    public func callAsFunction(_ order: Order, by actor: Actor) async throws(ServerError) -> [Issued]? {
        guard case .done(let issued) = try await once(nil, order, by: actor, remembering: { _ in nil }) else {
            return nil
        }
        return issued
    }

    /// The same for a request that may be sent again.
    func once(
        _ request: RepeatableRequest?, _ order: Order, by actor: Actor,
        remembering: @escaping @Sendable ([Issued]?) -> [UInt8]?
    ) async throws(ServerError) -> Once<[Issued]?> {
        guard let product = try await catalog.refreshIfChanged().catalog[order.product] else { return .done(nil) }
        return try await save(request, draw(order, of: product), by: actor, remembering: remembering) { _ in true }
    }

    /// - Parameter isMeant: Whether what would be granted is what was asked for; else nothing is.
    private func save(
        _ request: RepeatableRequest?, _ draft: Draft, by actor: Actor,
        remembering: @escaping @Sendable ([Issued]?) -> [UInt8]?, where isMeant: @escaping @Sendable ([Issued]) -> Bool
    ) async throws(ServerError) -> Once<[Issued]?> {
        let product = draft.order.product
        let keys = draft.minted.map { $0.text.kept(under: draft.prefix) }
        let asked = Self.form.asked(
            request, lists: [keys.flatMap { [.of(product.tenant), .of(product.product), .of($0.hash)] }])
        let message = "A key that was drawn for \(product) is another license's. Nothing was granted; try again."
        do throws(ServerError) {
            return try await catalog.performOnce(request, at: draft.now, asked, remembering: remembering) {
                (seen, former, snapshot) throws(ServerError) -> Saving<[Issued]?> in
                guard seen[former].isEmpty else { throw ServerError(.keyTaken, message) }
                guard let policy = snapshot.catalog[product]?.policies[draft.order.policy] else { return Saving(nil) }
                let granted = draft.consequences(under: policy, by: actor)
                let issued = granted.map(\.issued)
                return isMeant(issued) ? Saving(issued, granted.flatMap { [Save]($0.consequences) }) : Saving(nil)
            }
        } catch {
            throw error.told(.keyTaken, message, where: License.byKey)
        }
    }

    /// Which of the licenses with these ids there are not. Throws ``ServerError``.
    public static func missing(_ ids: [LicenseID], in store: any Store) async throws(ServerError) -> Set<LicenseID> {
        let form = licenses
        let seen = try await asking { () async throws(StoreError) in
            try await store.look(form.asked(lists: [ids.map(StoredValue.of)]))
        }
        return Set(ids).subtracting(seen[form.looks].map(\.id))
    }

    private static let licenses = LoadForm { ask in ask.each(License.table.key) }

    /// Whether a key that was drawn was a license's before.
    private static let form = RepeatableForm { ask in ask.each(FormerKey.table.key) }
}
