package import TenureCore
import TenureCrypto
import TenureHTTP
package import TenureServerKit

extension MarketplaceDialect {
    /// Tells a device where everything is: the marketplace whose domain it asked, or the only one there is.
    ///
    /// It may be kept for five minutes, but never beyond the moment at which a newer key is named: so no device that
    /// honours caching fetches a certificate that licenses are no longer signed with.
    var configuration: Endpoint {
        Endpoint(
            "GET", "/.well-known/marketplace-kit", .apple, .checked, admits: .marketplaceOfHost, reads: .none
        ) { [self] call in
            let place = call.place
            let now = clock.now()
            let configuration = MarketplaceConfiguration(
                place.marketplace, of: place.tenant, under: origin(of: place), keys: place.keys.named(at: now))
            let untilNaming = place.keys.nextNaming(after: now).map { now.seconds(until: $0) } ?? .max
            var response = Response.json(configuration.json())
            response.headers.add(
                "Cache-Control", "public, max-age=\(min(MarketplaceKeys.cacheSeconds, untilNaming))")
            return .done(response)
        }
    }

    /// Hands out a certificate in DER. Its name is in its URL, so it never changes.
    var certificate: Endpoint {
        let fields = Fields { fields in try fields.required("name", .certificateName, in: .path) }
        return Endpoint(
            "GET", "/marketplace/{tenant}/certificates/{name}", .apple, .checked, admits: .marketplace, reads: fields
        ) { call in
            guard call.input.hasSuffix(".cer") else { throw Failure.certificateUnknown }
            return try .done(call.place.keys.certificate(named: String(call.input.dropLast(4))))
        }
    }

    /// The certificate of a key that the configuration names now.
    func latestCertificate(_ kid: @escaping @Sendable (NamedMarketplaceKeys) -> String) -> Endpoint {
        Endpoint(
            "GET", "/marketplace/{tenant}/certificates/{name}", .apple, .checked, admits: .marketplace, reads: .none
        ) { [self] call in
            let keys = call.place.keys
            return try .done(keys.certificate(named: kid(keys.named(at: clock.now()))))
        }
    }

    /// `https://` and the domain, or what `--base-url` says where there is one marketplace; never the Host header.
    func origin(of place: MarketplacePlace) -> String {
        place.snapshot.origin(of: place.marketplace, orAt: baseURL)
    }
}

extension CatalogSnapshot {
    /// Where a marketplace is reached: `https://` and its domain, or at another address where there is one marketplace.
    package func origin(of marketplace: Marketplace, orAt baseURL: String?) -> String {
        let count = catalog.tenants.values.count { $0.marketplace != nil }
        if let baseURL, count == 1 { return baseURL }
        return "https://\(marketplace.domain)"
    }
}

extension MarketplaceKeys {
    /// How long a configuration may be kept, in seconds; a new key is named this long after its URL began to answer.
    static let cacheSeconds: Int64 = 300

    fileprivate func certificate(named kid: String) throws(Failure) -> Response {
        guard let certificate = certificate(kid) else { throw .certificateUnknown }
        return Response(
            status: 200,
            headers: [
                "Content-Type": "application/pkix-cert", "Cache-Control": "public, max-age=31536000, immutable",
            ], body: certificate.der)
    }
}

extension Shape where Value == String {
    fileprivate static var certificateName: Shape {
        .text("a certificate's name", like: "x.cer", schema: .text()) { $0 }
    }
}

extension Failure {
    fileprivate static let certificateUnknown = Failure(
        TurnedAway(
            404, code: "certificate_unknown",
            "There is no certificate of that name; fetch /.well-known/marketplace-kit again."))
}
