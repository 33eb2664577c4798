import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// The result of a release.
    enum PageReleaseOutcome: Sendable, Hashable {
        /// The device is released; repeating the request changes nothing.
        case released(Activation)
        /// The license's rules refuse the release.
        case refused(Refusal)
        /// The license has no such device.
        case unknown
        /// The session has ended in the meantime.
        case noSession
    }

    /// Releases a device at the request of the license's holder on the license's page.
    ///
    /// Decides and saves in one transaction, which also checks that the session is still active.
    func releaseOnPage(
        _ target: ActivationID, by token: SessionToken, at tenant: TenantID
    ) async throws(ServerError) -> PageReleaseOutcome {
        let now = clock.now()
        let bound = Self.plan.bind(.init(session: token.hash, target: target))
        return try await catalog.perform(bound) {
            (results, queries, snapshot) -> TransactionResult<PageReleaseOutcome> in
            guard let session = results[queries.session], session.isSession(at: now) else {
                return TransactionResult(.noSession)
            }
            guard let license = results[queries.release.record.license], license.id == session.license,
                license.product.tenant == tenant,
                let device = results[queries.release.record.activation]
            else { return TransactionResult(.unknown) }
            let decision = license.releaseByHolder(
                device, asking: nil, releases: queries.release.releases(in: results),
                under: try snapshot.policy(of: license), at: now)
            switch decision {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(var consequences):
                let reference = SupportReference(of: session.hash).evidence
                consequences.events = consequences.events.map { $0.adding(reference) }
                return TransactionResult(.released(device), [RowWrite](consequences, over: license, device))
            }
        }
    }

    private struct Parameters: Sendable {
        let session: Digest
        let target: ActivationID
    }

    private static let plan = CatalogQueryPlan(for: Parameters.self) { query in
        (session: query.licenseCredential { $0.session }, release: query.part(ReleaseQueries.init) { $0.target })
    }
}
