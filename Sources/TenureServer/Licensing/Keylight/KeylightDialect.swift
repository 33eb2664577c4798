import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

/// Speaks Keylight's HTTP API (`spec/keylight.md` §1.3): translates bytes to values and back, and decides nothing.
///
/// One object, for every endpoint holds it and every request would copy it.
final class KeylightDialect: Sendable {
    let licensing: LicensingActs
    let catalog: CatalogCache
    let clock: any WallClock
    let configurations = SignedConfigurations()
    let metrics: Metrics

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    init(licensing: LicensingActs, catalog: CatalogCache, clock: any WallClock, metrics: Metrics) {
        self.licensing = licensing
        self.catalog = catalog
        self.clock = clock
        self.metrics = metrics
    }

    /// What the dialect answers to.
    var endpoints: [Endpoint] {
        [activate, validate, deactivate, keyless, config, keys]
    }

    /// An app of the product in the path, with its SDK key if the product asks for one.
    var app: Admission<CatalogSnapshot, AppPlace> { .app(showing: "X-Keylight-SDK-Key") }

    static let requestIDHeader = "X-Keylight-Request-Id"

    func lease(
        _ terms: LeaseTerms, of license: License, to activation: ActivationID?, _ snapshot: CatalogSnapshot
    ) throws(ServerError) -> KeylightLease {
        try snapshot.keyRing(of: license.product.tenant).primary.signLease(terms, of: license, activation: activation)
    }

    /// The law's no, with the member that leads it and the signed lease that it leaves, if any.
    func refusing(
        _ refusal: Refusal, status: Int? = nil, leading name: String?, lease: KeylightLease? = nil
    ) -> Failure {
        var failure = Failure(refusal)
        failure.status = status
        if let name { failure.leading = { $0.member(name, false) } }
        if let lease { failure.trailing = { $0.object("lease", lease.write) } }
        return failure
    }
}
