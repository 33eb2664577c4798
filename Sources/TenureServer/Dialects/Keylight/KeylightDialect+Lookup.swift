import TenureCore
import TenureCrypto
import TenureHTTP

extension KeylightDialect {
    /// The product that the path names, for an app that may speak to it.
    func admit(
        _ request: Request, _ path: PathParameters, under snapshot: CatalogSnapshot
    ) throws(KeylightFailure) -> Product {
        let tenant = try tenant(path, under: snapshot)
        guard let id = path["product"].flatMap({ ProductID($0) }), let product = tenant.products[id] else {
            throw KeylightFailure(.unknownPlace, code: "product_unknown", "This tenant has no such product.")
        }
        if let expected = product.sdkKeyHash { try checkSDKKey(request, expected) }
        return product
    }

    /// The tenant that the path names.
    func tenant(_ path: PathParameters, under snapshot: CatalogSnapshot) throws(KeylightFailure) -> Tenant {
        guard let id = path["tenant"].flatMap({ TenantID($0) }), let tenant = snapshot.catalog.tenants[id] else {
            throw KeylightFailure(.unknownPlace, code: "tenant_unknown", "There is no such tenant on this server.")
        }
        return tenant
    }

    private func checkSDKKey(_ request: Request, _ expected: Digest) throws(KeylightFailure) {
        guard let given = request.headers[Self.sdkKeyHeader] else {
            throw KeylightFailure(
                .sdkKey, code: "sdk_key_required", "This product asks for an SDK key in \(Self.sdkKeyHeader).")
        }
        guard constantTimeEquals(SHA256.hash(Array(given.utf8)), expected.bytes) else {
            throw KeylightFailure(.sdkKey, code: "sdk_key_invalid", "The SDK key is not this product's.")
        }
    }
}
