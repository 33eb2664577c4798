package import TenureContent
package import TenureCore
package import TenureServerKit
import TenureStore

/// Lists and releases a holder's devices.
package struct ContentDevices: Sendable {
    let context: ContentContext

    package init(_ context: ContentContext) { self.context = context }

    /// A device and its content items.
    package struct Listed: Sendable {
        /// The device's digest.
        package let device: Digest
        /// The display name; `nil` if none was set.
        package let name: String?
        /// When the device last sent a request, accurate to about an hour.
        package let lastSeenAt: Timestamp
        /// The content items with a license that isn't returned, in order.
        package let contents: [ContentID]
    }

    /// A holder's devices, and how many the holder may release.
    package struct List: Sendable {
        /// The devices, most recently seen first.
        package let devices: [Listed]
        /// The releases left and the time of the next one; `nil` if the holder can't release devices.
        package let selfRelease: SelfRelease.Remaining?
    }

    /// Returns a holder's devices and the releases left.
    package func callAsFunction(of holder: String, at tenant: TenantID) async throws(ServerError) -> List {
        let (results, queries, snapshot) = try await context.catalog.fetch(
            Self.list.bind(.init(tenant: tenant, holder: holder)))
        return Self.listed(
            results[queries.licenses], results[queries.named], results[queries.enrolments], results[queries.releases],
            snapshot.catalog.tenants[tenant]?.contents, at: context.clock.now())
    }

    /// The result of releasing a device.
    package enum Outcome: Sendable {
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

    /// Releases a device: its licenses are returned, and from now on, its tokens can only be used to report use.
    ///
    /// A release by an operator frees the activations at once. Throws ``ServerError``.
    ///
    /// - Parameters:
    ///   - actor: Who releases the device.
    ///   - session: The learner page session of the release, which must still be valid; `nil` if there isn't one.
    package func release(
        _ device: Digest, of holder: String, at tenant: TenantID, by actor: Actor, in session: Digest? = nil
    ) async throws(ServerError) -> Outcome {
        let now = context.clock.now()
        let isOperator = actor.kind == .operator
        return try await context.catalog.perform(Self.releasing.bind(tenant, holder, device)) {
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

    /// Builds the list of devices from the rows that were read.
    static func listed(
        _ licenses: [ContentLicense], _ named: [ContentDevice], _ enrolments: [Enrolment],
        _ releases: [DeviceRelease], _ contents: ContentCatalog?, at now: Timestamp
    ) -> List {
        let names = Dictionary(named.map { ($0.device, $0.name) }, uniquingKeysWith: { $1 })
        let active = licenses.filter { $0.state != .returned }
        let devices = Dictionary(grouping: active, by: \.present.device).map { device, licenses in
            Listed(
                device: device, name: names[device] ?? nil,
                lastSeenAt: licenses.map(\.lastSeenAt).max() ?? Timestamp(seconds: 0),
                contents: Set(licenses.map(\.present.content)).sorted())
        }
        let rules = contents?.rules(of: active, under: enrolments) ?? []
        return List(
            devices: devices.sorted { one, other in
                one.lastSeenAt == other.lastSeenAt
                    ? one.device.bytes.lexicographicallyPrecedes(other.device.bytes) : one.lastSeenAt > other.lastSeenAt
            }, selfRelease: .strictest(of: rules, after: releases.map(\.at), at: now))
    }

    private static let list = CatalogQueryPlan(for: HolderName.self) { query in
        (
            licenses: query.rows(ContentLicense.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] },
            named: query.rows(ContentDevice.ofHolder, upTo: 10_000) { [.of($0.tenant), .of($0.holder)] },
            enrolments: query.rows(Enrolment.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] },
            releases: query.rows(DeviceRelease.ofHolder, upTo: SelfRelease.highestPerYear) {
                [.of($0.tenant), .of($0.holder)]
            }
        )
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
        plan.bind(.init(tenant: tenant, holder: holder, device: device, looked: []))
    }
}

extension ContentCatalog {
    /// The distinct self-release rules of the policies that apply to licenses which a release would return.
    ///
    /// An item that a course no longer contains uses the policy it had there. If none of the licenses has a policy any
    /// more, only an operator can release the device.
    fileprivate func rules(of licenses: [ContentLicense], under enrolments: [Enrolment]) -> [SelfRelease?] {
        let enrolments = Dictionary(enrolments.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let open = licenses.filter { $0.state != .returned && $0.state != .revoked }
        let policies = open.compactMap { license in
            enrolments[license.enrolment].flatMap { formerPolicy(of: license.present.content, under: $0) }
        }
        if policies.isEmpty { return open.isEmpty ? [] : [nil] }
        return Array(Set(policies.map(\.selfRelease)))
    }
}

extension SelfRelease.Remaining? {
    /// Returns what the strictest rule still allows; `nil` if a rule forbids releases or there is no rule.
    fileprivate static func strictest(
        of rules: [SelfRelease?], after releases: [Timestamp], at now: Timestamp
    ) -> SelfRelease.Remaining? {
        let standings = rules.compactMap { $0?.remaining(after: releases, at: now) }
        guard let first = standings.first, standings.count == rules.count else { return nil }
        return standings.dropFirst().reduce(first) { one, other in
            SelfRelease.Remaining(
                left: min(one.left, other.left), nextAt: [one.nextAt, other.nextAt].compactMap(\.self).max())
        }
    }
}
