import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit

extension TenureDialect {
    /// What the product allows people without a license.
    func respondToProduct(
        _ request: Request, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(TenureFailure) -> Response {
        let ask = LeaseAsk(product: product.ref, nonce: try nonce(in: try query(of: request)))
        let terms = TenureProductTerms(
            longEnvelope(ask), name: product.name, trialDays: product.trialDays, freeTier: product.freeTier)
        return .statement("product", try sign(terms, under: snapshot))
    }

    /// The published keys, signed by the newest one that the app says it trusts: it vouches for the others.
    ///
    /// A retired key may vouch too; without one that is known the primary signs.
    func respondToKeyset(
        _ request: Request, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(TenureFailure) -> Response {
        let query = try query(of: request)
        let ask = LeaseAsk(product: product.ref, nonce: try nonce(in: query))
        let trusted = (query["kid"] ?? "").split(separator: ",").map(String.init)
        guard trusted.count <= 16 else {
            throw TenureFailure(422, code: "field_invalid", "The query's \"kid\" names at most 16 keys.")
        }
        let ring = try keyRing(of: product.ref.tenant, under: snapshot)
        let keyset = TenureKeyset(
            longEnvelope(ask), primaryKid: ring.primary.kid,
            keys: ring.published(at: clock.now()).map { .init(kid: $0.kid, publicKey: $0.privateKey.publicKey) })
        let voucher = ring.newest(of: trusted) ?? ring.primary
        return .statement("keyset", keyset.signed(kid: voucher.kid, with: voucher.privateKey))
    }

    /// An envelope that holds as long as a signed product configuration.
    func longEnvelope(_ ask: LeaseAsk) -> StatementEnvelope {
        let now = clock.now()
        return ask.envelope(from: now, until: now.adding(days: Product.configurationDays))
    }

    private func query(of request: Request) throws(TenureFailure) -> QueryItems {
        guard let items = QueryItems(request.query) else {
            throw TenureFailure(400, code: "query_malformed", "The query is not name=value&name=value.")
        }
        return items
    }

    private func nonce(in query: QueryItems) throws(TenureFailure) -> StatementNonce {
        guard let text = query["nonce"] else {
            throw TenureFailure(
                422, code: "field_missing", "The query's \"nonce\" is missing: \(TenureBody.nonceShape).")
        }
        guard let nonce = StatementNonce(text: text) else {
            throw TenureFailure(422, code: "field_invalid", "The query's \"nonce\" must be \(TenureBody.nonceShape).")
        }
        return nonce
    }
}
