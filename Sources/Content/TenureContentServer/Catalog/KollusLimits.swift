package import TenureContent
import TenureCore
import TenureServerKit

extension ContentPolicy {
    /// The ways in which Kollus's player deviates from this policy, one sentence each.
    ///
    /// These are limits that its callback can't express, and counts that only the player maintains.
    package var kollusWarnings: [String] { kollusConflicts + (kollusCounts.map { [$0] } ?? []) }

    /// The limits that Kollus's callback can't express.
    var kollusConflicts: [String] {
        kollusBreaches.compactMap { bound in
            bound.value(self).map { value in
                "Kollus supports \(bound.member) from \(bound.range.lowerBound) to \(bound.range.upperBound), not "
                    + "\(value)."
            }
        }
    }

    /// A warning that each download resets plays and play time; `nil` if the policy limits neither.
    var kollusCounts: String? {
        let counted = [grantedPlays.map { _ in "plays" }, grantedPlaySeconds.map { _ in "play time" }].compactMap(
            \.self)
        if counted.isEmpty { return nil }
        return
            "Kollus's player counts \(counted.joined(separator: " and ")) itself and restarts with each download."
    }
}

extension CatalogPlan {
    /// Rejects policies that Kollus can't express, for a tenant that uses Kollus, and warns of differences.
    ///
    /// It checks stored policies as well as those in the file.
    ///
    /// - Parameters:
    ///   - listed: The tenant in the file.
    ///   - isNew: Whether the file adds or changes the tenant's Kollus settings.
    mutating func checkKollusLimits(_ listed: TenantSpec, isNew: Bool) {
        guard let contents = listed.tenant.contents else { return }
        let existing = listed.existing?.contents?.policies ?? [:]
        let policies = existing.merging(contents.policies) { $1 }
        for policy in policies.values.sorted(by: { $0.id < $1.id }) {
            let name = "\(listed.tenant.id)/\(policy.id)"
            if changes.contains(where: { $0.verb == .remove && $0.kind == "content policy" && $0.name == name }) {
                continue
            }
            for breach in policy.kollusConflicts {
                conflict("\(breach) The policy \(name) causes this: change it, or remove kollus with --prune.")
            }
            if isNew || existing[policy.id] != policy, let counts = policy.kollusCounts {
                add(PlannedChange(.note, "content policy", name, counts))
            }
        }
    }
}
