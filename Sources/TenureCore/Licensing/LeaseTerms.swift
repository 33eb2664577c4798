/// What a lease says about the license behind it, before it is signed.
public struct LeaseTerms: Sendable, Hashable {
    /// What the lease permits.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Everything the policy entitles to.
        case active
        /// The reduced mode of a lapsed paying holder; no entitlements.
        case fallback
        /// Nothing: a signed no.
        case expired
    }

    /// What it permits.
    public let status: Status

    /// When it was given, by the server's clock.
    public let issuedAt: Timestamp

    /// The first moment it no longer holds.
    public let expiresAt: Timestamp

    /// What it entitles to, in the order of a signed lease; empty unless active.
    public let entitlements: [Entitlement]
}

extension License {
    /// What use the policy allows of a license that nobody has stopped.
    ///
    /// Active until the term's end plus grace, then `fallback` where the policy has it, else `expired`. An active lease
    /// ends at the earlier of now plus lease days and the end of use; a fallback or an expired one after its lease days,
    /// because the term it could have ended with is over.
    func leaseTerms(under policy: Policy, at now: Timestamp) -> LeaseTerms {
        let full = now.adding(days: policy.leaseDays)
        let useEnd = policy.useEnds(for: term)
        guard let useEnd, now >= useEnd else {
            return LeaseTerms(
                status: .active, issuedAt: now, expiresAt: useEnd.map { min($0, full) } ?? full,
                entitlements: policy.entitlements.sorted())
        }
        return LeaseTerms(
            status: policy.fallbackAccess ? .fallback : .expired, issuedAt: now, expiresAt: full, entitlements: [])
    }

    /// Why the license cannot be used fully at this moment, most specific first: stopped for good, stopped, expired.
    func obstacles(under policy: Policy, at now: Timestamp) -> [Reason] {
        var reasons: [Reason] = []
        if let reason = Self.chart.stop(in: recordedState) { reasons.append(reason) }
        if let end = term.end, let useEnd = policy.useEnds(for: term), now >= useEnd {
            reasons.append(.licenseExpired(term: end, use: useEnd, fallback: policy.fallbackAccess))
        }
        return reasons
    }
}
