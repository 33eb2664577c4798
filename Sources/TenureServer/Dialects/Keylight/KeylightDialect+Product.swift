import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension KeylightDialect {
    /// Counts an app that runs without a license, and tells it what the product offers.
    func respondToKeyless(_ request: Request, _ product: Product) async throws(KeylightFailure) -> Response {
        let body = try KeylightBody(request)
        _ = try body.required("instance_id")
        let state = try body.required("state")
        guard ["trial", "free_tier", "expired"].contains(state) else {
            throw KeylightFailure(
                .refused, code: "field_invalid", "The field \"state\" must be trial, free_tier or expired.")
        }
        metrics.recordKeyless(state: state)
        return try await respondToConfig(request, product)
    }

    func respondToConfig(_ request: Request, _ product: Product) async throws(KeylightFailure) -> Response {
        let configuration = try configuration(of: product, catalog.current)
        return .json(JSONWriter.object { configuration.write(into: &$0) })
    }

    func respondToKeys(_ tenant: Tenant, _ snapshot: CatalogSnapshot) throws(KeylightFailure) -> Response {
        do throws(ServerError) {
            return .json(try snapshot.keyRing(of: tenant.id).keyset(at: clock.now()).json())
        } catch {
            throw KeylightFailure(error)
        }
    }

    func lease(
        _ terms: LeaseTerms, of license: License, to activation: ActivationID?, _ snapshot: CatalogSnapshot
    ) throws(KeylightFailure) -> KeylightLease {
        do throws(ServerError) {
            return try snapshot.keyRing(of: license.product.tenant).primary.signLease(
                terms, of: license, activation: activation)
        } catch {
            throw KeylightFailure(error)
        }
    }

    func configuration(
        of product: Product, _ snapshot: CatalogSnapshot
    ) throws(KeylightFailure) -> KeylightProductConfiguration {
        do throws(ServerError) {
            return try configurations.configuration(of: product, under: snapshot, at: clock.now())
        } catch {
            throw KeylightFailure(error)
        }
    }
}
