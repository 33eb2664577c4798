import TenureCore
import TenureCrypto
import TenureHTTP
import TenureLicensing
import TenureServerKit

/// An app of one product, authenticated under one version of the catalog.
///
/// A class, because every step of a request passes it on and a ``Product`` is expensive to copy.
final class AppCaller: Sendable {
    let product: Product
    let snapshot: CatalogSnapshot

    init(product: Product, snapshot: CatalogSnapshot) {
        self.product = product
        self.snapshot = snapshot
    }
}

/// A caller whose request names a tenant; it needs no credential.
struct VendorCaller: Sendable {
    let tenant: TenantID
    let snapshot: CatalogSnapshot
}

extension Authentication where Caller == AppCaller {
    /// Authenticates an app of the product in the path. The app must send the SDK key if the product requires one.
    static func app(showing header: String) -> Authentication {
        Authentication { request, path, snapshot in
            let tenant = try snapshot.tenant(in: path)
            let id = path["product"].flatMap { ProductID($0) }
            guard let id, let product = tenant.products[id] else {
                throw Failure.productUnknown.aboutMissingRecord(id != nil)
            }
            if let expected = product.sdkKeyHash { try request.checkSDKKey(in: header, expected) }
            return AppCaller(product: product, snapshot: snapshot)
        }
    }
}

extension Authentication where Caller == VendorCaller {
    /// Accepts every caller and finds the tenant in the path.
    static var tenant: Authentication {
        Authentication { _, path, snapshot in
            VendorCaller(tenant: try snapshot.tenant(in: path).id, snapshot: snapshot)
        }
    }
}

extension CatalogSnapshot {
    fileprivate func tenant(in path: PathParameters) throws(Failure) -> Tenant {
        let id = path["tenant"].flatMap { TenantID($0) }
        guard let id, let tenant = catalog.tenants[id] else { throw .tenantUnknown.aboutMissingRecord(id != nil) }
        return tenant
    }
}

extension Request {
    fileprivate func checkSDKKey(in header: String, _ expected: Digest) throws(Failure) {
        guard let given = headers[header] else {
            throw .sdkKey(
                "sdk_key_required", "This product requires an SDK key. Send it in the field \(header).", in: header)
        }
        guard constantTimeEquals(SHA256.hash(Array(given.utf8)), expected.bytes) else {
            throw .sdkKey(
                "sdk_key_invalid",
                "The SDK key doesn't belong to this product. Send the key from the product's catalog entry.", in: header
            )
        }
    }
}

extension Failure {
    fileprivate static let tenantUnknown = Failure(
        RejectedRequest(404, code: "tenant_unknown", "This server has no such tenant. Check the tenant in the path."))
    fileprivate static let productUnknown = Failure(
        RejectedRequest(
            404, code: "product_unknown", "This tenant has no such product. Check the product in the path."))

    /// A 401 with the challenge that RFC 9110 §11.6.1 requires.
    ///
    /// No registered authentication scheme fits, so the challenge names the header field.
    fileprivate static func sdkKey(_ code: String, _ sentence: String, in header: String) -> Failure {
        Failure(
            RejectedRequest(401, code: code, sentence), headers: ["WWW-Authenticate": "SDK-Key header=\"\(header)\""])
    }
}
