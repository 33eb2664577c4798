import TenureContent
import TenureCore
package import TenureServerKit
import TenureStore

/// The dependencies of the content API's endpoints and of the use cases of content.
///
/// It is a class because every endpoint holds it, and a struct would be copied for every request.
package final class ContentContext: Sendable {
    let catalog: CatalogCache
    let shared: FeatureContext
    let randomness: Randomness
    let rate = ContentRateLimit()

    /// Creates a context; ids are drawn from `randomness`.
    package init(catalog: CatalogCache, clock: any WallClock, randomness: Randomness = .system) {
        self.catalog = catalog
        shared = FeatureContext(store: catalog.store, clock: clock)
        self.randomness = randomness
    }

    var store: ServerStore { shared.store }
    var clock: any WallClock { shared.clock }

    /// The path prefix of all endpoints, in the form of a path template.
    static let base = "/content/{tenant}/v1"

    /// All endpoints of the content API.
    var endpoints: [Endpoint] {
        EnrolmentEndpoints(context: self).all + HolderEndpoints(context: self).all + DeviceEndpoints(context: self).all
            + ContentLicenseEndpoints(context: self).all + ContentDeviceEndpoints(context: self).all
            + VerificationEndpoints(context: self).all + ForeignTokenEndpoints(context: self).all
    }

    /// Checks that the tenant offers content; throws ``Failure`` with status 404 otherwise.
    func checkOffer(of tenant: TenantID) async throws {
        if catalog.current.catalog.tenants[tenant]?.contents != nil { return }
        _ = try await catalog.refreshIfChanged().contents(of: tenant)
    }
}
