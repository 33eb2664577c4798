import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureStore

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
    var app: Admission<CatalogSnapshot, AppPlace> { .app(showing: Self.sdkKeyHeader) }

    static let requestIDHeader = "X-Keylight-Request-Id"
    static let sdkKeyHeader = "X-Keylight-SDK-Key"

    /// The law's no, with the member that leads it and, where it is about a license, what is known of that.
    func refusing(
        _ refusal: Refusal, status: Int? = nil, leading name: String?, _ known: KnownLicense? = nil
    ) -> Failure {
        var failure = Failure(refusal)
        failure.status = status
        if let name { failure.leading = { $0.member(name, false) } }
        if let known { failure.trailing = known.write }
        return failure
    }
}

/// What every answer about a license tells beside its yes or no.
struct KnownLicense: Sendable {
    let license: License
    /// Absent where a no leaves none.
    let lease: KeylightLease?
    let configuration: KeylightProductConfiguration

    /// Writes the members.
    func write(into body: inout JSONObjectWriter) {
        body.member("license_expires_at", license.term.end?.seconds)
        if let lease { body.object("lease", lease.write) }
        configuration.write(into: &body)
    }
}
