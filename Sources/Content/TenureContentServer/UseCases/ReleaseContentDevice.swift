import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension DeviceRelease {
    /// The result of releasing a device.
    enum Outcome: Sendable {
        /// The device has been released.
        ///
        /// Repeating a release changes nothing.
        case released
        /// The release was refused, for example because the holder has no releases left.
        case refused(Refusal)
        /// The holder has no such device.
        case unknown
        /// The session of the learner page ended before the release.
        case noSession
    }
}

extension ContentContext {
    /// Releases a device: its licenses are returned, and from now on, its tokens can only be used to report use.
    ///
    /// After a release by an operator, the device no longer counts towards any device limit. Throws ``ServerError``.
    ///
    /// - Parameters:
    ///   - actor: Who releases the device.
    ///   - session: The learner page session of the release, which must still be valid; `nil` if there isn't one.
    func releaseDevice(
        _ device: Digest, of holder: String, at tenant: TenantID, by actor: Actor, in session: Digest? = nil
    ) async throws(ServerError) -> DeviceRelease.Outcome {
        let now = clock.now()
        let isOperator = actor.kind == .operator
        return try await catalog.perform(Self.releasing.bind(tenant, holder, device)) {
            results, queries, snapshot in
            let own = results[queries.tokens].first { $0.hash == session }
            if session != nil, own?.works(as: .session, at: now) != true { return TransactionResult(.noSession) }
            guard let contents = snapshot.catalog.tenants[tenant]?.contents else { return TransactionResult(.unknown) }
            var state = HolderState(results, queries.holder, tenant: tenant, holder: holder, contents: contents)
            let licenses = results[queries.licenses]
            guard !licenses.isEmpty else { return TransactionResult(.unknown) }
            for license in licenses { state.take(license) }
            let devices = state.enrolments.keys.sorted().compactMap { state.device(device, in: $0) }
            let decision = licenses.release(
                devices: devices,
                rules: contents.rules(of: licenses, under: Array(state.enrolments.values)),
                releases: results[queries.releases].map(\.at), by: actor, at: now)
            switch decision {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(var consequences):
                if let own { consequences.events = consequences.events.map { $0.adding(own.reference) } }
                state.apply(consequences)
                var saves = state.saves
                for token in results[queries.tokens] where token.device == device && token.releasedAt == nil {
                    var released = token
                    released.releasedAt = now
                    saves.append(.replace(token, by: released))
                }
                if !isOperator, !consequences.licenses.isEmpty {
                    saves.append(
                        .insert(DeviceRelease(tenant: tenant, holder: holder, at: now, device: device)))
                }
                return TransactionResult(.released, saves)
            }
        }
    }

    private static let releasing = ReleaseQueryPlan()
}

/// The query plan for the rows that a release reads.
private struct ReleaseQueryPlan: Sendable {
    struct Queries: Sendable {
        let holder: HolderQueries
        let licenses: RowsQuery<ContentLicense>
        let releases: RowsQuery<DeviceRelease>
        let tokens: RowsQuery<HolderCredential>
    }

    let plan = CatalogQueryPlan(for: HolderQueries.Parameters.self) { query in
        Queries(
            holder: HolderQueries(&query),
            licenses: query.rows(ContentLicense.onDevice, upTo: .everything) {
                [.of($0.tenant), .of($0.holder), .of($0.device)]
            },
            releases: query.rows(DeviceRelease.ofHolder, upTo: SelfRelease.highestPerYear) {
                [.of($0.tenant), .of($0.holder)]
            },
            tokens: query.rows(HolderCredential.ofHolder, upTo: .everything) { [.of($0.tenant), .of($0.holder)] })
    }

    func bind(_ tenant: TenantID, _ holder: String, _ device: Digest) -> BoundCatalogQuery<Queries> {
        plan.bind(.init(tenant: tenant, holder: holder, device: device, loadedEnrolments: []))
    }
}
