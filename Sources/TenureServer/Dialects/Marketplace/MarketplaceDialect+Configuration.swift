import TenureCore
import TenureCrypto
import TenureHTTP
import TenureServerKit

extension MarketplaceDialect {
    /// Tells a device where everything is: the marketplace whose domain it asked, or the only one there is.
    ///
    /// It may be kept for five minutes, but never beyond the moment at which a newer key is named: so no device that
    /// honours caching fetches a certificate that licenses are no longer signed with.
    func respondToConfiguration(_ request: Request) async throws(MarketplaceFailure) -> Response {
        let snapshot = try await refreshed()
        let place = try place(of: try tenant(named: request.headers["Host"], in: snapshot), in: snapshot)
        let now = clock.now()
        let configuration = MarketplaceConfiguration(
            place.marketplace, of: place.tenant, under: origin(of: place.marketplace, in: snapshot),
            keys: place.keys.named(at: now))
        let untilNaming = place.keys.nextNaming(after: now).map { now.seconds(until: $0) } ?? .max
        var response = Response.json(configuration.json())
        response.headers.add("Cache-Control", "public, max-age=\(min(MarketplaceKeys.cacheSeconds, untilNaming))")
        return response
    }

    /// Hands out a certificate in DER. Its name is in its URL, so it never changes.
    func respondToCertificate(_ name: String, _ place: Place) throws(MarketplaceFailure) -> Response {
        guard name.hasSuffix(".cer"), let certificate = place.keys.certificate(String(name.dropLast(4))) else {
            throw MarketplaceFailure(
                404, "Not found", code: "certificate_unknown",
                detail: "There is no certificate of that name; fetch /.well-known/marketplace-kit again.")
        }
        return Response(
            status: 200,
            headers: [
                "Content-Type": "application/pkix-cert", "Cache-Control": "public, max-age=31536000, immutable",
            ], body: certificate.der)
    }

    private func tenant(named host: String?, in snapshot: CatalogSnapshot) throws(MarketplaceFailure) -> TenantID {
        let marketplaces = snapshot.catalog.tenants.values.filter { $0.marketplace != nil }
        let asked = host.map(Self.withoutPort)
        let named = marketplaces.first { $0.marketplace?.domain == asked }
        guard let tenant = named ?? (marketplaces.count == 1 ? marketplaces.first : nil) else { throw .noMarketplace }
        return tenant.id
    }

    /// `https://` and the domain, or what `--base-url` says where there is one marketplace; never the Host header.
    private func origin(of marketplace: Marketplace, in snapshot: CatalogSnapshot) -> String {
        let count = snapshot.catalog.tenants.values.count { $0.marketplace != nil }
        if let baseURL, count == 1 { return baseURL }
        return "https://\(marketplace.domain)"
    }

    private static func withoutPort(_ host: String) -> String {
        let lower = host.lowercased()
        if lower.hasPrefix("[") { return String(lower.dropFirst().prefix { $0 != "]" }) }
        return String(lower.prefix { $0 != ":" })
    }
}

extension MarketplaceKeys {
    /// How long a configuration may be kept, in seconds; a new key is named this long after its URL began to answer.
    static let cacheSeconds: Int64 = 300
}
