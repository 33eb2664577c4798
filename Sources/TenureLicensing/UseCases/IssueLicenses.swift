public import TenureCore
import TenureFormats
public import TenureServerKit
import TenureStore

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
        let now = clock.now()
        guard let product = try await catalog.refreshIfChanged().catalog[order.product] else { return .done(nil) }
        var random = randomness.generator()
        let minted = (0..<order.count).map { _ in
            (LicenseKeyText.mint(prefix: product.keyPrefix, using: &random), LicenseID.random(using: &random))
        }
        let keys = minted.map { $0.0.kept(under: product.keyPrefix) }
        let asked = Self.form.asked(
            request,
            lists: [keys.flatMap { [.of(order.product.tenant), .of(order.product.product), .of($0.hash)] }])
        let message = "A key that was drawn for \(order.product) is another license's. Nothing was granted; try again."
        do throws(ServerError) {
            return try await catalog.performOnce(request, at: now, asked, remembering: remembering) {
                (seen, former, snapshot) throws(ServerError) -> Saving<[Issued]?> in
                guard seen[former].isEmpty else { throw ServerError(.keyTaken, message) }
                guard let policy = snapshot.catalog[order.product]?.policies[order.policy] else { return Saving(nil) }
                var issued: [Issued] = []
                var saves: [Save] = []
                for ((text, id), key) in zip(minted, keys) {
                    let consequences = License.issue(
                        id: id, product: order.product, key: key, policy: policy.id, holder: order.holder,
                        term: policy.term(from: now, ending: order.end), by: actor, at: now)
                    guard let license = consequences.license else { continue }
                    issued.append(Issued(license: license, keyText: text.text))
                    saves += [Save](consequences)
                }
                return Saving(issued, saves)
            }
        } catch {
            throw error.told(.keyTaken, message, where: License.byKey)
        }
    }

    /// Whether a key that was drawn was a license's before.
    private static let form = RepeatableForm { ask in ask.each(FormerKey.table.key) }
}
