package import TenureContent
package import TenureCore
import TenureServerKit
package import TenureStore

/// A content policy, with the tenant that defines it.
package struct ContentPolicyRow: Sendable, Hashable {
    package let tenant: TenantID
    package let policy: ContentPolicy

    package init(tenant: TenantID, policy: ContentPolicy) {
        self.tenant = tenant
        self.policy = policy
    }
}

extension ContentPolicyRow: Stored {
    /// The content policies of all tenants.
    package static let table = Table<ContentPolicyRow>(
        "content_policies", key: ["tenant", "policy"],
        [
            Field("tenant") { $0.tenant }, Field("policy") { $0.policy.id },
            Field("expires_after_days") { $0.policy.expiresAfterDays },
            Field("window_hours") { $0.policy.windowAfterFirstPlayHours }, Field("plays") { $0.policy.grantedPlays },
            Field("play_seconds") { $0.policy.grantedPlaySeconds },
            Field("play_time_basis") { $0.policy.playTimeBasis },
            Field("count_after_seconds") { $0.policy.countAfterSeconds },
            Field("resume_within_seconds") { $0.policy.resumeWithinSeconds },
            Field("check_in_days") { $0.policy.checkInDays }, Field("online_required") { $0.policy.onlineRequired },
            Field("ask_before_renew") { $0.policy.askBeforeRenew }, Field("renewable") { $0.policy.renewable },
            Field("renew_ahead_days") { $0.policy.renewAheadDays },
            Field("renew_after_expiry_days") { $0.policy.renewAfterExpiryDays },
            Field("max_renewals") { $0.policy.maxRenewals }, Field("on_renewal") { $0.policy.onRenewal },
            Field("grace_hours") { $0.policy.graceHours }, Field("when_over") { $0.policy.whenOver },
            Field("device_limit") { $0.policy.deviceLimit }, Field("device_changes") { $0.policy.deviceChanges },
            Field("self_release_cooldown_days") { $0.policy.selfRelease?.cooldownDays },
            Field("self_release_per_year") { $0.policy.selfRelease?.perYear },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true, part: "catalog"
    ) { row in
        let tenant: TenantID = try row.next()
        var policy = ContentPolicy(id: try row.next())
        policy.expiresAfterDays = try row.next()
        policy.windowAfterFirstPlayHours = try row.next()
        policy.grantedPlays = try row.next()
        policy.grantedPlaySeconds = try row.next()
        policy.playTimeBasis = try row.next()
        policy.countAfterSeconds = try row.next()
        policy.resumeWithinSeconds = try row.next()
        policy.checkInDays = try row.next()
        policy.onlineRequired = try row.next()
        policy.askBeforeRenew = try row.next()
        policy.renewable = try row.next()
        policy.renewAheadDays = try row.next()
        policy.renewAfterExpiryDays = try row.next()
        policy.maxRenewals = try row.next()
        policy.onRenewal = try row.next()
        policy.graceHours = try row.next()
        policy.whenOver = try row.next()
        policy.deviceLimit = try row.next()
        policy.deviceChanges = try row.next()
        let (cooldown, perYear): (Int?, Int?) = (try row.next(), try row.next())
        policy.selfRelease = perYear.map { SelfRelease(cooldownDays: cooldown ?? 0, perYear: $0) }
        return ContentPolicyRow(tenant: tenant, policy: policy)
    }

    /// The content policies of a tenant.
    package static let ofTenant = table.set("of_tenant", "tenant")
}
