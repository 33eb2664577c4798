import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureServerKit
import TenureStore

/// Serves Keylight's HTTP API.
///
/// It translates requests and responses, and decides nothing. It's a class, because every endpoint holds it and a
/// struct would be copied on every request.
final class KeylightDialect: Sendable {
    let licensing: LicensingActs
    var catalog: CatalogCache { licensing.context.catalog }
    var clock: any WallClock { licensing.context.clock }
    let configurations = SignedConfigurations()
    let metrics: Metrics

    init(licensing: LicensingActs, metrics: Metrics) {
        self.licensing = licensing
        self.metrics = metrics
    }

    var endpoints: [Endpoint] {
        [activate, validate, deactivate, keyless, config, keys]
    }

    /// Authenticates an app of the product in the path, with its SDK key if the product requires one.
    var app: Authentication<AppCaller> { .app(showing: Self.sdkKeyHeader) }

    static let requestIDHeader = "X-Keylight-Request-Id"
    static let sdkKeyHeader = "X-Keylight-SDK-Key"

    /// A refusal in Keylight's format.
    ///
    /// - Parameters:
    ///   - name: The body's first member, a Boolean, which is set to false.
    ///   - license: The members about the license, if the refusal is about one.
    func refusing(
        _ refusal: Refusal, status: Int? = nil, leading name: String?, _ license: KnownLicense? = nil
    ) -> Failure {
        var failure = Failure(refusal)
        failure.status = status
        if let name { failure.leading = { $0.member(name, false) } }
        if let license { failure.trailing = license.write }
        return failure
    }
}

/// The members that every response about a license contains after its Boolean result.
struct KnownLicense: Sendable {
    let license: License
    /// The signed lease; `nil` if a refusal contains none.
    let lease: KeylightLease?
    let configuration: KeylightProductConfiguration

    func write(into body: inout JSONObjectWriter) {
        // The end of a term that hasn't started is undecided, and clients would read null as never.
        if license.terms.unstarted == nil { body.member("license_expires_at", license.term.end?.seconds) }
        if let lease { body.object("lease") { lease.write(into: &$0) } }
        configuration.write(into: &body)
    }
}
