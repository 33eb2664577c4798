import TenureClient
import TenureCore

/// Sample times, leases, refusals and terms. `now` is 15 January 2027, 08:00 UTC.
enum Given {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let day: Int64 = 86_400
    static let held = HeldActivation(key: "NOTE-PRO0-0000-0001", activation: "a1")

    static func after(_ seconds: Int64) -> Moment { Moment(now.adding(seconds: seconds)) }

    static func lease(
        _ status: LeaseFacts.Status = .active, issued: Int64 = -day, ends: Int64 = 6 * day, term: Int64? = nil,
        entitlements: [LeaseFacts.Grant] = []
    ) -> LeaseFacts {
        LeaseFacts(
            status: status, keyHash: "hash", activation: "a1", issuedAt: after(issued), expiresAt: after(ends),
            termEnd: term.map(after), entitlements: entitlements)
    }

    static func refused(_ code: String, lease: LeaseFacts? = nil) -> SignedRefusal {
        SignedRefusal(
            reasons: [ToldReason(code: code, message: "Told: \(code).", cure: "Told cure.")],
            lease: lease.map { SignedRefusal.Lease(facts: $0, bytes: []) })
    }

    static func terms(free: Bool, trialDays: Int? = 14) -> ProductTerms {
        ProductTerms(trialDays: trialDays, freeTier: free)
    }

    static let clockSetBack = ClockVerdict.setBack(ClockEvidence(wall: now.adding(days: -2), trusted: now))
    static let trialRunning = KeptTrial.signed(start: after(-3 * day), days: 14)
    static let trialOver = KeptTrial.signed(start: after(-14 * day), days: 14)
}
