import TenureCore
import TenureCrypto
import TenureHTTP

extension KeylightDialect {
    /// The product that the path names, in the catalog as it is now.
    func product(_ path: PathParameters) async throws(KeylightFailure) -> Product {
        let tenant = try await tenant(path)
        if let id = path["product"].flatMap({ ProductID($0) }), let product = tenant.products[id] { return product }
        // The cache may be older than a product that has just been added: one look at the store settles it.
        if let fresh = try await refreshed().catalog.tenants[tenant.id],
            let id = path["product"].flatMap({ ProductID($0) }), let product = fresh.products[id]
        {
            return product
        }
        throw KeylightFailure(.unknownPlace, code: "product_unknown", "This tenant has no such product.")
    }

    /// The tenant that the path names, in the catalog as it is now.
    func tenant(_ path: PathParameters) async throws(KeylightFailure) -> Tenant {
        if let id = path["tenant"].flatMap({ TenantID($0) }) {
            if let tenant = catalog.current.catalog.tenants[id] { return tenant }
            if let tenant = try await refreshed().catalog.tenants[id] { return tenant }
        }
        throw KeylightFailure(.unknownPlace, code: "tenant_unknown", "There is no such tenant on this server.")
    }

    private func refreshed() async throws(KeylightFailure) -> CatalogSnapshot {
        do throws(ServerError) {
            return try await catalog.refreshIfChanged()
        } catch {
            throw KeylightFailure(error)
        }
    }

    func checkSDKKey(_ request: Request, _ expected: Digest) throws(KeylightFailure) {
        guard let given = request.headers[Self.sdkKeyHeader] else {
            throw KeylightFailure(
                .sdkKey, code: "sdk_key_required", "This product asks for an SDK key in \(Self.sdkKeyHeader).")
        }
        guard constantTimeEquals(SHA256.hash(Array(given.utf8)), expected.bytes) else {
            throw KeylightFailure(.sdkKey, code: "sdk_key_invalid", "The SDK key is not this product's.")
        }
    }
}
