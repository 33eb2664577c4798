import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension HolderPages {
    /// Releases a device at the request of the license's holder on the license's page.
    ///
    /// Decides and saves in one transaction, which also checks that the session is still active. Repeating the request
    /// changes nothing. Returns `nil` if the session has ended.
    ///
    /// - Parameter activation: The device's public id, as the form sends it.
    func release(
        _ act: PageAct<License>, _ activation: String?
    ) async throws(ServerError) -> OutcomeView.Outcome? {
        let names = try licensing.catalog.secrets.names
        let unknown = OutcomeView.Outcome.placeKept([LicensePageText.noSuchDevice(in: act.frame.language)])
        guard let shown = activation.flatMap({ ActivationID(text: $0) }) else { return unknown }
        switch try await releaseDevice(names.meant(shown), by: act) {
        case .released(let device):
            let devices = try await licensing.store.devices(of: act.owner.id).active
            // The list as the page showed it before the release.
            let before = devices + [SeenActivation(device, lastSeenAt: device.activatedAt)]
            let shown = DeviceNames(before.map { names.shown($0) }, in: act.frame.language)
            return .deviceReleased(shown.name(of: names.shown(device)))
        case .refused(let refusal): return .placeKept(HolderView.words(of: refusal, in: act.frame.locale))
        case .unknown: return unknown
        case .noSession: return nil
        }
    }

    private enum ReleaseOutcome: Sendable {
        case released(Activation)
        case refused(Refusal)
        /// The license has no such device.
        case unknown
        /// The session has ended in the meantime.
        case noSession
    }

    private func releaseDevice(
        _ target: ActivationID, by act: PageAct<License>
    ) async throws(ServerError) -> ReleaseOutcome {
        let (now, tenant) = (licensing.clock.now(), act.frame.tenant)
        let bound = Self.plan.bind(.init(session: act.token.hash, target: target))
        return try await licensing.catalog.perform(bound) {
            (results, queries, snapshot) -> TransactionResult<ReleaseOutcome> in
            guard let session = results[queries.session], session.works(as: .session, at: now) else {
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
