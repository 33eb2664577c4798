import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit

extension TenureDialect {
    /// The product that the path names, for an app that may speak to it.
    func admit(
        _ request: Request, _ path: PathParameters, under snapshot: CatalogSnapshot
    ) throws(TenureFailure) -> Product {
        guard let id = path["tenant"].flatMap({ TenantID($0) }), let tenant = snapshot.catalog.tenants[id] else {
            throw TenureFailure(404, code: "tenant_unknown", "There is no such tenant on this server.")
        }
        guard let id = path["product"].flatMap({ ProductID($0) }), let product = tenant.products[id] else {
            throw TenureFailure(404, code: "product_unknown", "This tenant has no such product.")
        }
        if let expected = product.sdkKeyHash { try checkSDKKey(request, expected) }
        return product
    }

    /// A statement under a signing key of the tenant, as the one member of a yes.
    func sign(
        _ statement: some TenureStatement, under snapshot: CatalogSnapshot
    ) throws(TenureFailure) -> [UInt8] {
        let key = try keyRing(of: statement.envelope.product.tenant, under: snapshot).primary
        return statement.signed(kid: key.kid, with: key.privateKey)
    }

    func keyRing(of tenant: TenantID, under snapshot: CatalogSnapshot) throws(TenureFailure) -> LeaseKeyRing {
        do throws(ServerError) {
            return try snapshot.keyRing(of: tenant)
        } catch {
            throw TenureFailure(error)
        }
    }

    /// The law's no, signed, with the lease that it leaves.
    func refusing(
        _ refusal: Refusal, _ ask: LeaseAsk, lease: TenureLease? = nil, under snapshot: CatalogSnapshot
    ) throws(TenureFailure) -> TenureFailure {
        let signed = try sign(ask.refusal(refusal, at: clock.now()), under: snapshot)
        var signedLease: [UInt8]?
        if let lease { signedLease = try sign(lease, under: snapshot) }
        return TenureFailure(refusal, signed: signed, lease: signedLease)
    }

    private func checkSDKKey(_ request: Request, _ expected: Digest) throws(TenureFailure) {
        guard let given = request.headers[Self.sdkKeyHeader] else {
            throw TenureFailure(
                401, code: "sdk_key_required", "This product asks for an SDK key in \(Self.sdkKeyHeader).")
        }
        guard constantTimeEquals(SHA256.hash(Array(given.utf8)), expected.bytes) else {
            throw TenureFailure(401, code: "sdk_key_invalid", "The SDK key is not this product's.")
        }
    }

    static let sdkKeyHeader = "Tenure-SDK-Key"
}

extension Response {
    /// A yes: one signed statement under its name.
    static func statement(_ name: String, _ compact: [UInt8]) -> Response {
        .json(JSONWriter.object { $0.member(name, String(decoding: compact, as: UTF8.self)) })
    }
}
