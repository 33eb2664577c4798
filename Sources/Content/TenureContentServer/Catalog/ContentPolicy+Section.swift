import TenureContent
import TenureCore
import TenureServerKit

extension ContentPolicy {
    /// The schema of a content policy in a catalog file.
    static let section = CatalogObject(
        "The rules for content licenses; null means no limit.", sample: ContentPolicy(id: .sample),
        [
            .id(), .bound("expiresAfterDays", \.expiresAfterDays),
            .bound("windowAfterFirstPlayHours", \.windowAfterFirstPlayHours), .bound("grantedPlays", \.grantedPlays),
            .bound("grantedPlaySeconds", \.grantedPlaySeconds),
            .choice(
                "playTimeBasis", \.playTimeBasis,
                else: "must be \"media\" (seconds of media played) or \"wall\" (elapsed time)"),
            .bound("countAfterSeconds", \.countAfterSeconds), .bound("resumeWithinSeconds", \.resumeWithinSeconds),
            .bound("checkInDays", \.checkInDays), .flag("onlineRequired", \.onlineRequired),
            .flag("askBeforeRenew", \.askBeforeRenew), .flag("renewable", \.renewable),
            .bound("renewAheadDays", \.renewAheadDays), .bound("renewAfterExpiryDays", \.renewAfterExpiryDays),
            .bound("maxRenewals", \.maxRenewals),
            .choice(
                "onRenewal", \.onRenewal,
                else: "must be \"reset\" (a renewal resets the usage) or \"carry\" (usage keeps counting)"),
            .bound("graceHours", \.graceHours),
            .choice(
                "whenOver", \.whenOver,
                else: "must be \"finish\", \"stop\" or \"grace\": what happens to a running play when it expires"),
            .bound("deviceLimit", \.deviceLimit), .bound("deviceChanges", \.deviceChanges), .selfRelease(\.selfRelease),
        ]
    ) { policy, members, _, _ in
        if members["deviceChanges"] == nil {
            policy.deviceChanges = DeviceAllowance.standardChanges(for: policy.deviceLimit)
        }
    }

    /// Reads a policy; `nil` if it has no valid id.
    init?(_ node: CatalogNode, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let id = reader.slug(members["id"], of: node, as: ContentPolicyID.self) else { return nil }
        self.init(id: id)
        Self.section.fill(&self, from: members, of: node, &reader)
    }

    fileprivate static func range(_ member: String) -> ClosedRange<Int> {
        guard let bound = bounds.first(where: { $0.member == member }) else {
            preconditionFailure("\(member) has no bound")
        }
        return bound.range
    }
}

extension CatalogField<ContentPolicy> {
    fileprivate static func bound(
        _ name: String, _ path: any WritableKeyPath<ContentPolicy, Int?> & Sendable
    ) -> Self { .integer(name, ContentPolicy.range(name), path) }

    fileprivate static func bound(_ name: String, _ path: any WritableKeyPath<ContentPolicy, Int> & Sendable) -> Self {
        .integer(name, ContentPolicy.range(name), path)
    }
}
