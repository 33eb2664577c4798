import TenureCore
import TenureCrypto
import TenureHTTP
package import TenureMarketplace
package import TenureServerKit

extension MarketplaceDialect {
    /// Serves the configuration of the marketplace whose domain the request names, or of the server's only marketplace.
    ///
    /// The response may be cached for five minutes, but not beyond the time at which the configuration starts to name a
    /// newer key. So a device that honors caching never fetches a certificate that no longer signs licenses.
    var configuration: Endpoint {
        Endpoint(
            "GET", "/.well-known/marketplace-kit", format: .apple, catalog: .current,
            authentication: .marketplaceOfHost, reads: .none
        ) { [self] call in
            let caller = call.caller
            let now = context.clock.now()
            let configuration = MarketplaceConfiguration(
                caller.marketplace, of: caller.tenant, under: origin(of: caller), keys: caller.keys.named(at: now))
            var response = Response.json(configuration.json())
            response.headers.add("Cache-Control", caller.keys.cacheControl(at: now))
            return .done(response)
        }
    }

    /// Serves a certificate in DER.
    ///
    /// The URL contains the key id, so the response never changes.
    var certificate: Endpoint {
        let fields = Fields { fields in try fields.required("name", .certificateName, in: .path) }
        return Endpoint(
            "GET", "/marketplace/{tenant}/certificates/{name}", format: .apple, catalog: .current,
            authentication: .marketplace,
            reads: fields
        ) { call in
            guard call.input.hasSuffix(".cer") else { throw Failure.certificateUnknown }
            return try .done(
                call.caller.keys.certificate(
                    named: String(call.input.dropLast(4)), cached: "public, max-age=31536000, immutable"))
        }
    }

    /// Serves the certificate of the key that the configuration currently names.
    ///
    /// The URL doesn't contain the key, so the response may be cached only as long as the configuration.
    func latestCertificate(_ kid: @escaping @Sendable (NamedMarketplaceKeys) -> String) -> Endpoint {
        Endpoint(
            "GET", "/marketplace/{tenant}/certificates/{name}", format: .apple, catalog: .current,
            authentication: .marketplace,
            reads: .none
        ) { [self] call in
            let keys = call.caller.keys
            let now = context.clock.now()
            return try .done(keys.certificate(named: kid(keys.named(at: now)), cached: keys.cacheControl(at: now)))
        }
    }

    /// The marketplace's origin: `https://` and its domain, or `--base-url` if there is only one marketplace.
    ///
    /// The origin isn't taken from the Host header, which the client controls.
    func origin(of caller: MarketplaceCaller) -> String {
        caller.snapshot.origin(of: caller.marketplace, orAt: baseURL)
    }
}

extension CatalogSnapshot {
    /// A marketplace's origin: `https://` and its domain, or `baseURL` if there is only one marketplace.
    package func origin(of marketplace: Marketplace, orAt baseURL: String?) -> String {
        let count = catalog.tenants.values.count { $0.marketplace != nil }
        if let baseURL, count == 1 { return baseURL }
        return "https://\(marketplace.domain)"
    }
}

extension MarketplaceKeys {
    /// How long a configuration may be cached, in seconds.
    ///
    /// A new certificate is served for this long before the configuration names it.
    static let cacheSeconds: Int64 = 300

    /// The `Cache-Control` value of the configuration, and of the current certificate.
    fileprivate func cacheControl(at now: Timestamp) -> String {
        let untilNaming = nextNaming(after: now).map { now.seconds(until: $0) } ?? .max
        return "public, max-age=\(min(Self.cacheSeconds, untilNaming))"
    }

    fileprivate func certificate(named kid: String, cached: String) throws(Failure) -> Response {
        guard let certificate = certificate(kid) else { throw .certificateUnknown }
        return Response(
            status: 200,
            headers: ["Content-Type": "application/pkix-cert", "Cache-Control": cached], body: certificate.der)
    }
}

extension FieldType where Value == String {
    fileprivate static var certificateName: FieldType {
        .text("a certificate's name", like: "x.cer", schema: .text()) { $0 }
    }
}

extension Failure {
    fileprivate static let certificateUnknown = Failure(
        RejectedRequest(
            404, code: "certificate_unknown",
            "There is no certificate with this name. Fetch /.well-known/marketplace-kit again."))
}
