package import TenureCore
package import TenureServerKit
import TenureStore

/// Releases a device of a holder, and reads which there are.
package struct ContentDevices: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Works under a catalog, by a clock.
    package init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// A device and what lies there.
    package struct Listed: Sendable {
        /// Its digest.
        package let device: Digest
        /// What people call it; nil when nobody said.
        package let name: String?
        /// When it last asked, to the hour.
        package let lastSeenAt: Timestamp
        /// The contents that it has a license of which is not returned, in order.
        package let contents: [ContentID]
    }

    /// A holder's devices, and how far the holder may release them.
    package struct List: Sendable {
        /// The devices, the one that asked last first.
        package let devices: [Listed]
        /// How many releases are left, and when the next may be; nil where the holder may not release any.
        package let selfRelease: SelfRelease.Standing?
    }

    /// A holder's devices. Throws ``ServerError``.
    package func callAsFunction(of holder: String, at tenant: TenantID) async throws(ServerError) -> List {
        let (seen, looks, snapshot) = try await catalog.look(Self.list.asked(all: Self.values(tenant, holder)))
        return Self.listed(
            seen[looks.licenses], seen[looks.named], seen[looks.enrolments], seen[looks.releases],
            snapshot.catalog.tenants[tenant]?.contents, at: clock.now())
    }

    /// What a release comes to.
    package enum Outcome: Sendable {
        /// The device was released. Said again, nothing changes.
        case released
        /// The law refuses.
        case refused(Refusal)
        /// The holder has no such device.
        case unknown
        /// The session that it is released in ended meanwhile.
        case noSession
    }

    /// Releases a device: all its licenses are returned, and its tokens only report from now on. An operator's release
    /// frees its places at once. Throws ``ServerError``.
    /// - Parameter session: The session on the learner's page that it is released in, which must still work.
    package func release(
        _ device: Digest, of holder: String, at tenant: TenantID, by actor: Actor, in session: Digest? = nil
    ) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let isOperator = if case .operator = actor { true } else { false }
        return try await catalog.perform(Self.releasing.asked(tenant, holder, device)) { seen, looks, snapshot in
            let own = seen[looks.tokens].first { $0.hash == session }
            if session != nil, own?.works(as: .session, at: now) != true { return Saving(.noSession) }
            guard let contents = snapshot.catalog.tenants[tenant]?.contents else { return Saving(.unknown) }
            var state = HolderState(seen, looks.holder, tenant: tenant, holder: holder, contents: contents)
            let licenses = seen[looks.licenses]
            guard !licenses.isEmpty else { return Saving(.unknown) }
            for license in licenses { state.take(license) }
            let places = state.enrolments.keys.sorted().compactMap { state.place(of: device, in: $0) }
            let decision = ContentLicense.release(
                licenses, places: places,
                rules: contents.rules(of: licenses, under: Array(state.enrolments.values)),
                releases: seen[looks.releases].map(\.at), by: actor, at: now)
            switch decision {
            case .refused(let refusal): return Saving(.refused(refusal))
            case .granted(var consequences):
                if let own { consequences.events = consequences.events.map { $0.adding(own.reference) } }
                state.apply(consequences)
                var saves = state.saves
                for token in seen[looks.tokens] where token.device == device && token.releasedAt == nil {
                    var released = token
                    released.releasedAt = now
                    saves.append(.replace(token, by: released))
                }
                if !isOperator, !consequences.licenses.isEmpty {
                    saves.append(
                        .insert(DeviceRelease(tenant: tenant, holder: holder, at: now, device: device)))
                }
                return Saving(.released, saves)
            }
        }
    }

    /// The devices, of what a look found.
    static func listed(
        _ licenses: [ContentLicense], _ named: [ContentDevice], _ enrolments: [Enrolment],
        _ releases: [DeviceRelease], _ contents: ContentCatalog?, at now: Timestamp
    ) -> List {
        let names = Dictionary(named.map { ($0.device, $0.name) }, uniquingKeysWith: { $1 })
        let kept = licenses.filter { $0.state != .returned }
        let devices = Dictionary(grouping: kept, by: \.present.device).map { device, licenses in
            Listed(
                device: device, name: names[device] ?? nil,
                lastSeenAt: licenses.map(\.lastSeenAt).max() ?? Timestamp(seconds: 0),
                contents: Set(licenses.map(\.present.content)).sorted())
        }
        let rules = contents?.rules(of: kept, under: enrolments) ?? []
        return List(
            devices: devices.sorted { one, other in
                one.lastSeenAt == other.lastSeenAt
                    ? one.device.bytes.lexicographicallyPrecedes(other.device.bytes) : one.lastSeenAt > other.lastSeenAt
            }, selfRelease: .strictest(of: rules, after: releases.map(\.at), at: now))
    }

    private static func values(_ tenant: TenantID, _ holder: String) -> [StoredValue] {
        (0..<4).flatMap { _ in [.of(tenant), .of(holder)] }
    }

    private static let list = CatalogForm { ask in
        (
            licenses: ask.rows(ContentLicense.ofHolder, upTo: 100_000),
            named: ask.rows(ContentDevice.ofHolder, upTo: 10_000),
            enrolments: ask.rows(Enrolment.ofHolder, upTo: 100_000),
            releases: ask.rows(DeviceRelease.ofHolder, upTo: SelfRelease.highestPerYear)
        )
    }

    private static let releasing = ReleasingForm()
}

/// What a release looks at.
private struct ReleasingForm: Sendable {
    struct Looks: Sendable {
        let holder: HolderLooks
        let licenses: RowsLook<ContentLicense>
        let releases: RowsLook<DeviceRelease>
        let tokens: RowsLook<HolderCredential>
    }

    let form = CatalogForm { ask in
        Looks(
            holder: HolderLooks(&ask), licenses: ask.rows(ContentLicense.onDevice, upTo: Asking.everything),
            releases: ask.rows(DeviceRelease.ofHolder, upTo: SelfRelease.highestPerYear),
            tokens: ask.rows(HolderCredential.ofHolder, upTo: Asking.everything))
    }

    func asked(_ tenant: TenantID, _ holder: String, _ device: Digest) -> CatalogAsked<Looks> {
        let own: [StoredValue] = [.of(tenant), .of(holder)]
        return form.asked(all: own + own + [.of(device)] + own + own, lists: [own, []])
    }
}

extension ContentCatalog {
    /// The rules of releasing of licenses' policies, each once: of those that a release would return.
    ///
    /// What a course has no longer stands in nobody's way: it goes by the policy that it had there. Where no policy is left
    /// that could say, it is the operator who releases.
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

extension SelfRelease.Standing? {
    /// What the strictest of several rules leaves; nil where one lets nobody, or there is none.
    fileprivate static func strictest(
        of rules: [SelfRelease?], after releases: [Timestamp], at now: Timestamp
    ) -> SelfRelease.Standing? {
        let standings = rules.compactMap { $0?.standing(after: releases, at: now) }
        guard let first = standings.first, standings.count == rules.count else { return nil }
        return standings.dropFirst().reduce(first) { one, other in
            SelfRelease.Standing(
                left: min(one.left, other.left), nextAt: [one.nextAt, other.nextAt].compactMap(\.self).max())
        }
    }
}
