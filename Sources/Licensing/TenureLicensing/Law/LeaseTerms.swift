public import TenureCore

/// The contents of a lease before it is signed.
public struct LeaseTerms: Sendable, Hashable {
    /// What a lease permits.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Everything that the policy includes.
        case active
        /// The reduced mode after a paid term has ended; without entitlements.
        case fallback
        /// Nothing: a signed refusal.
        case expired
    }

    /// What the lease permits.
    public let status: Status

    /// When the lease was issued, by the server's clock.
    public let issuedAt: Timestamp

    /// The first second at which the lease is no longer valid.
    public let expiresAt: Timestamp

    /// The entitlements in the order of a signed lease; empty unless the lease is active.
    public let entitlements: [Entitlement]
}

extension LeaseTerms {
    /// Computes the lease for a license that isn't stopped.
    ///
    /// The status is `active` until the end of the term plus grace. After that it is `fallback` if the policy allows
    /// that, and `expired` otherwise. An active lease lasts for the policy's lease days, but no longer than the term
    /// plus grace. A fallback or expired lease always lasts for the lease days.
    init(of license: License, under policy: Policy, at now: Timestamp) {
        let full = now.adding(days: policy.leaseDays)
        let useEnd = policy.useEnds(for: license.term)
        guard let useEnd, now >= useEnd else {
            self.init(
                status: .active, issuedAt: now, expiresAt: useEnd.map { min($0, full) } ?? full,
                entitlements: policy.entitlements.sorted())
            return
        }
        self.init(
            status: policy.fallbackAccess ? .fallback : .expired, issuedAt: now, expiresAt: full, entitlements: [])
    }
}

extension License {
    /// Why the license can't be used fully at this time, most specific first: revoked or returned, suspended, expired.
    func obstacles(under policy: Policy, at now: Timestamp) -> [Reason] {
        var reasons: [Reason] = []
        if let reason = Self.chart.stop(in: recordedState) { reasons.append(reason) }
        if let end = term.end, let useEnd = policy.useEnds(for: term), now >= useEnd {
            reasons.append(.licenseExpired(term: end, use: useEnd, fallback: policy.fallbackAccess))
        }
        return reasons
    }
}
