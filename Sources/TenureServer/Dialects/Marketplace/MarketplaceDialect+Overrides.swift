import TenureCore
import TenureHTTP
import TenureServerKit

extension MarketplaceDialect {
    /// Answers at a path that a catalog's override names on this server: it leads to the same endpoint as the standard
    /// one. Nil for every other path.
    func respondToOverride(_ request: Request) async -> Response? {
        for tenant in catalog.current.catalog.tenants.values {
            guard let overrides = tenant.marketplace?.overrides.values else { continue }
            for (name, place) in overrides.lazy.flatMap(\.self) where place == request.path {
                guard let (method, respond) = endpoint(named: name) else { continue }
                guard request.method == method else { return nil }
                return await answering(request) { () async throws(MarketplaceFailure) in
                    let place = try self.place(of: tenant.id, in: try await self.refreshed())
                    return try await respond(request, place)
                }
            }
        }
        return nil
    }

    private func endpoint(named name: String) -> (method: String, respond: Answer)? {
        switch name {
        case "license.dynamicLicenseURL": ("POST", respondToLicenses)
        case "license.licenseRenewalURL": ("POST", respondToRenewal)
        case "license.signingCertificateURL":
            (
                "GET",
                { _, place throws(MarketplaceFailure) in
                    try self.respondToCertificate(place.keys.named(at: self.clock.now()).signing + ".cer", place)
                }
            )
        case "license.encryptionCertificateURL":
            (
                "GET",
                { _, place throws(MarketplaceFailure) in
                    try self.respondToCertificate(place.keys.named(at: self.clock.now()).encryption + ".cer", place)
                }
            )
        default: nil
        }
    }
}
