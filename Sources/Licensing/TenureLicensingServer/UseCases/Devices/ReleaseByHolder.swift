import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Releases a device for the holder of its license, at the request of another device.
    ///
    /// Decides and saves in one transaction; returns `nil` once the device is durably released, otherwise the refusal.
    ///
    /// Repeating it changes nothing and counts once. Throws ``ServerError``, also if the store may have lost the
    /// activation; the call can be repeated after a transient one.
    ///
    /// - Parameters:
    ///   - target: The activation to release.
    ///   - license: The license of the requesting device.
    ///   - asking: The requesting device's own activation, which it has proved.
    func releaseByHolder(
        _ target: ActivationID, of license: LicenseID, askedFrom asking: ActivationID
    ) async throws(ServerError) -> Refusal? {
        let now = clock.now()
        return try await catalog.perform(Self.plan.bind(target)) {
            [catalog] (results, queries, snapshot) -> TransactionResult<Refusal?> in
            let device = try catalog.found(results[queries.record.activation])
            guard let found = results[queries.record.license], found.id == license else {
                return TransactionResult(nil)
            }
            let decision = found.releaseByHolder(
                device, asking: asking, releases: queries.releases(in: results),
                under: try snapshot.policy(of: found), at: now)
            return TransactionResult(
                decision.refusal, decision.outcome.map { [RowWrite]($0, over: found, device) } ?? [])
        }
    }

    private static let plan = CatalogQueryPlan(ReleaseQueries.init)
}
