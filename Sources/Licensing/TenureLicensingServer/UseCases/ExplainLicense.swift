import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Explains a license's current state to its vendor or its holder.
    ///
    /// Counts the activations, evaluates the license's rules and reads the reasons that operators gave, without
    /// changing anything.
    func explain(
        _ license: License, to audience: ExplanationAudience = .vendor
    ) async throws(ServerError) -> License.Explanation {
        let policy = try await catalog.refreshIfChanged().policy(of: license)
        let now = clock.now()
        let events = try await store.newestEvents(
            of: license.id, tenant: license.product.tenant, kinds: StatedAct.kinds, limit: Self.mostStatedActs
        ).map(\.event)
        let plan = Self.activations
        let bound = plan.bind(.init(license: license.id, named: events.compactMap(\.subject.activation)))
        let results = try await store.fetch(bound)
        let devices: [CountedDevice] =
            if policy.countsDevices(of: license, at: now) {
                try await store.view(CountedDevice.ofLicense, [.of(license.id), .of(now)])
            } else { [] }
        return license.explain(
            to: audience, activeCount: results[plan.queries.taken], released: results[plan.queries.named],
            devices: devices,
            events: events, under: policy, at: now)
    }

    private struct Parameters: Sendable {
        let license: LicenseID
        let named: [ActivationID]
    }

    /// The number of devices, counted up to one more than a policy's highest limit, and the activations that events
    /// name.
    private static let activations = QueryPlan(for: Parameters.self) { query in
        (
            taken: query.count(Activation.live, upTo: Policy.highestActivationLimit + 1) { [.of($0.license)] },
            named: query.each(Activation.table.key) { $0.named.map(StoredValue.of) }
        )
    }

    /// How many of the newest acts an explanation looks at for reasons.
    private static let mostStatedActs = 100
}
