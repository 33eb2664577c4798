import TenureCore
import TenureLicensing

/// Sample values for the tests of the licensing rules. `now` is 15 January 2027, 08:00 UTC.
enum Given {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let product = ProductRef(tenant: TenantID("acme")!, product: ProductID("notes")!)
    static let key = LicenseKey(hash: Digest([UInt8](repeating: 7, count: 32))!, masked: "NOTE-****")
    static let id = LicenseID(number: 42)!
    static let pro = PolicyID("pro")!
    static let operatorAda = Actor.operator("ada")

    static func policy(
        duration: Int? = 30, limit: Int? = 2, fallback: Bool = false, leaseDays: Int = 7, grace: Int = 0
    ) -> Policy {
        Policy(
            id: pro, name: "Pro", duration: duration.flatMap { TermLength(days: $0) }, activationLimit: limit,
            entitlements: [Entitlement("sync")!, Entitlement("pro")!], fallbackAccess: fallback, leaseDays: leaseDays,
            graceDays: grace)
    }

    /// Returns a license in a recorded state. Its term started ten days before `now` and ends `seconds` after it.
    static func license(
        _ state: License.State = .active, endsIn seconds: Int64? = 20 * 86_400, activated: Bool? = nil,
        isTest: Bool = false
    ) -> License {
        let start = now.adding(days: -10)
        let used = activated ?? (state != .issued)
        return License(
            id: id, product: product, key: key,
            terms: LicenseTerms(policy: pro, term: Term(start: start, end: seconds.map { now.adding(seconds: $0) })!),
            recordedState: state,
            issuedAt: start, firstActivatedAt: used ? start : nil, isTest: isTest)
    }

    static func activation(
        _ low: UInt64 = 1, identity: DeviceIdentity = .anonymous, system: DeviceSystem? = nil,
        at time: Timestamp = now,
        released: Timestamp? = nil
    ) -> Activation {
        Activation(
            id: ActivationID(high: 0, low: low), license: id, identity: identity, name: "Mac", system: system,
            activatedAt: time, releasedAt: released)
    }

    static func attempt(
        _ identity: DeviceIdentity = .anonymous, newID: UInt64 = 99, system: DeviceSystem? = nil
    ) -> License.ActivationAttempt {
        License.ActivationAttempt(
            newID: ActivationID(high: 9, low: newID), identity: identity, name: "Mac", system: system)
    }
}
