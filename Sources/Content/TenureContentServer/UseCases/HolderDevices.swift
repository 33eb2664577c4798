import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// A holder's devices, and how many the holder may release.
struct HolderDevices: Sendable {
    /// A device and its content items.
    struct Device: Sendable {
        let device: Digest
        /// The display name; `nil` if none was set.
        let name: String?
        /// When the device last sent a request, accurate to about an hour.
        let lastSeenAt: Timestamp
        /// The ids of the items for which the device has a license that hasn't been returned, sorted by their text.
        let contents: [ContentID]
    }

    /// The devices, most recently seen first.
    let devices: [Device]
    /// The releases left and the time of the next one; `nil` if the holder can't release devices.
    let selfRelease: SelfRelease.Remaining?

    /// Creates the list from the rows that were read.
    init(
        _ licenses: [ContentLicense], _ named: [ContentDevice], _ enrolments: [Enrolment],
        _ releases: [DeviceRelease], _ contents: ContentCatalog?, at now: Timestamp
    ) {
        let names = Dictionary(named.map { ($0.device, $0.name) }, uniquingKeysWith: { $1 })
        let active = licenses.filter { $0.state != .returned }
        let listed = Dictionary(grouping: active, by: \.present.device).map { device, licenses in
            Device(
                device: device, name: names[device] ?? nil,
                lastSeenAt: licenses.map(\.lastSeenAt).max() ?? Timestamp(seconds: 0),
                contents: Set(licenses.map(\.present.content)).sorted())
        }
        devices = listed.sorted { one, other in
            one.lastSeenAt == other.lastSeenAt
                ? one.device.bytes.lexicographicallyPrecedes(other.device.bytes) : one.lastSeenAt > other.lastSeenAt
        }
        let rules = contents?.rules(of: active, under: enrolments) ?? []
        selfRelease = .strictest(of: rules, after: releases.map(\.at), at: now)
    }
}

extension ContentContext {
    /// Returns a holder's devices and the releases left.
    func devices(of holder: String, at tenant: TenantID) async throws(ServerError) -> HolderDevices {
        let (results, queries, snapshot) = try await catalog.fetch(
            Self.holderDevices.bind(.init(tenant: tenant, holder: holder)))
        return HolderDevices(
            results[queries.licenses], results[queries.named], results[queries.enrolments], results[queries.releases],
            snapshot.catalog.tenants[tenant]?.contents, at: clock.now())
    }

    private static let holderDevices = CatalogQueryPlan(for: HolderName.self) { query in
        (
            licenses: query.rows(ContentLicense.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] },
            named: query.rows(ContentDevice.ofHolder, upTo: 10_000) { [.of($0.tenant), .of($0.holder)] },
            enrolments: query.rows(Enrolment.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] },
            releases: query.rows(DeviceRelease.ofHolder, upTo: SelfRelease.highestPerYear) {
                [.of($0.tenant), .of($0.holder)]
            }
        )
    }
}

extension ContentCatalog {
    /// The distinct self-release rules of the policies that apply to licenses which a release would return.
    ///
    /// An item that a course no longer contains uses the policy it had there. If none of the licenses has a policy any
    /// more, only an operator can release the device.
    func rules(of licenses: [ContentLicense], under enrolments: [Enrolment]) -> [SelfRelease?] {
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
