import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureServerKit
import TenureStore

/// Serves Tenure's own dialect (`Documentation/leases.md`).
///
/// Every success and every refusal is signed and bound to its request. It's a class, because every endpoint holds it
/// and a struct would be copied on every request.
final class TenureDialect: Sendable {
    let licensing: LicensingActs
    var catalog: CatalogCache { licensing.context.catalog }
    var clock: any WallClock { licensing.context.clock }

    init(licensing: LicensingActs) {
        self.licensing = licensing
    }

    var endpoints: [Endpoint] {
        [activate, renew, release, trial, devices, releaseDevice, keyset, product]
    }

    /// Declares an endpoint for apps, under a product's `leases`.
    func endpoint<Input: Sendable>(
        _ method: String, _ path: String, catalog: Endpoint.CatalogUse, reads fields: Fields<Input>,
        _ action: @escaping @Sendable (Call<AppCaller, Input>) async throws -> Endpoint.Conclusion
    ) -> Endpoint {
        Endpoint(
            method, "/v1/{tenant}/{product}/leases/\(path)", format: .leases, catalog: catalog,
            authentication: .app(showing: "Tenure-SDK-Key"), reads: fields, action)
    }

    /// Declares an endpoint for apps whose action only reads, under a product's `leases`.
    func endpoint<Input: Sendable>(
        _ method: String, _ path: String, catalog: Endpoint.CatalogUse, reads fields: Fields<Input>,
        _ action: @escaping @Sendable (Call<AppCaller, Input>, inout StoreReads) throws -> Endpoint.Conclusion
    ) -> Endpoint {
        Endpoint(
            method, "/v1/{tenant}/{product}/leases/\(path)", format: .leases, catalog: catalog,
            authentication: .app(showing: "Tenure-SDK-Key"), reads: fields, action)
    }

    /// A success: one statement as the named member, signed with the tenant's primary key.
    func saying(
        _ name: String, _ statement: some TenureStatement, under snapshot: CatalogSnapshot
    ) throws(ServerError) -> Endpoint.Conclusion {
        saying(name, signed: try sign(statement, under: snapshot))
    }

    /// A success: one signed statement as the named member.
    func saying(_ name: String, signed compact: [UInt8]) -> Endpoint.Conclusion {
        .done(.json(JSONWriter.object(room: compact.count + 64) { $0.member(name, jws: compact) }))
    }

    /// A signed refusal, with the lease that the device may continue to use, if any.
    func refusing(
        _ refusal: Refusal, _ request: LeaseRequestFields, lease: TenureLease? = nil, under snapshot: CatalogSnapshot
    ) throws(ServerError) -> Failure {
        let signed = try sign(request.refusal(refusal, at: clock.now()), under: snapshot)
        var signedLease: [UInt8]?
        if let lease { signedLease = try sign(lease, under: snapshot) }
        var failure = Failure(refusal)
        failure.trailing = { [signedLease] body in
            body.member("refusal", jws: signed)
            if let signedLease { body.member("lease", jws: signedLease) }
        }
        return failure
    }

    private func sign(
        _ statement: some TenureStatement, under snapshot: CatalogSnapshot
    ) throws(ServerError) -> [UInt8] {
        let key = try snapshot.keyRing(of: statement.envelope.product.tenant).primary
        return statement.signed(kid: key.kid, with: key.privateKey)
    }

    /// An envelope with the lifetime of a signed product configuration.
    func longEnvelope(_ request: LeaseRequestFields) -> StatementEnvelope {
        let now = clock.now()
        return request.envelope(from: now, until: now.adding(days: Product.configurationDays))
    }

    /// An envelope with the short lifetime of a refusal, for responses that are read once.
    func shortEnvelope(_ request: LeaseRequestFields) -> StatementEnvelope {
        let now = clock.now()
        return request.envelope(from: now, until: now.adding(seconds: TenureRefusal.lifetime))
    }
}
