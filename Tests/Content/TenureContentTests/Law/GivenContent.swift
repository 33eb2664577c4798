import TenureContent
import TenureCore

/// Sample values for the tests of the content rules.
enum GivenContent {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let tenant = TenantID("acme")!
    static let lesson = ContentID("mck-1")!
    static let device = Digest([UInt8](repeating: 1, count: 32))!
    static let license = ContentLicenseID(number: 7)!
    static let enrolment = EnrolmentID(number: 3)!

    static func grant(
        _ version: Int64 = 1, settled: Int64 = 0, _ change: (inout ContentTerms) -> Void = { _ in }
    ) -> ContentGrant {
        var terms = ContentTerms()
        change(&terms)
        return ContentGrant(
            tenant: tenant, license: license, enrolment: enrolment, content: lesson, device: device, request: "r-0001",
            version: version, issuedAt: now, terms: terms, settled: settled)
    }

    static func session(_ low: UInt64) -> PlaySessionID { PlaySessionID(high: 0, low: low) }
}

extension GivenContent {
    static let ada = Actor.operator("ada")
    static let course = CourseID("swift")!

    static func policy(_ change: (inout ContentPolicy) -> Void = { _ in }) -> ContentPolicy {
        var policy = ContentPolicy(id: ContentPolicyID("rental")!)
        (policy.expiresAfterDays, policy.grantedPlays) = (30, 3)
        change(&policy)
        return policy
    }

    static func enrolment(
        _ number: Int64 = 3, _ state: Enrolment.State = .open, startsIn: Int64? = nil, endsIn: Int64? = nil,
        scope: Enrolment.Scope = .content(lesson)
    ) -> Enrolment {
        Enrolment(
            id: EnrolmentID(number: number)!, tenant: tenant, holder: "learner-1", scope: scope,
            terms: Enrolment.Terms(
                startsAt: startsIn.map { now.adding(seconds: $0) }, endsAt: endsIn.map { now.adding(seconds: $0) }),
            madeAt: now.adding(days: -9), state: state, endedAt: state == .ended ? now.adding(days: -1) : nil)
    }

    static func device(_ byte: UInt8) -> Digest { Digest([UInt8](repeating: byte, count: 32))! }

    static func license(
        _ state: ContentLicense.State = .active, number: Int64 = 7, enrolment: Int64 = 3, device: Digest = device,
        version: Int64 = 1, used: ContentUse = .none, confirmed: Int64? = nil,
        _ change: (inout ContentTerms) -> Void = { _ in }
    ) -> ContentLicense {
        var terms = ContentTerms()
        terms.plays = 3
        terms.expiresAt = now.adding(days: 30)
        change(&terms)
        let grant = ContentGrant(
            tenant: tenant, license: ContentLicenseID(number: number)!, enrolment: EnrolmentID(number: enrolment)!,
            content: lesson, device: device, request: "r-0001", version: version, issuedAt: now, terms: terms,
            settled: 0)
        return ContentLicense(
            id: grant.license, holder: "learner-1", enrolment: grant.enrolment, present: grant, state: state,
            stoppedAt: state == .active ? nil : now, countsFrom: version, used: used,
            confirmed: confirmed ?? version, lastSeenAt: now)
    }

    static func offer(
        _ enrolment: Enrolment = enrolment(), devices: [Enrolment.Device] = [], changes: [Enrolment.DeviceChange] = [],
        isShared: Bool = false, _ change: (inout ContentPolicy) -> Void = { _ in }
    ) -> Enrolment.Offer {
        Enrolment.Offer(
            enrolment, policy: policy(change), devices: Enrolment.Devices(enrolment.id, devices, changes: changes),
            isShared: isShared)
    }

    static func request(device: Digest = device, id: Int64 = 70) -> ContentRequest {
        ContentRequest(
            tenant: tenant, holder: "learner-1", device: device, content: lesson, request: "r-0070",
            newID: ContentLicenseID(number: id)!)
    }

    static func report(
        _ session: UInt64, version: Int64 = 1, sequence: Int64 = 1, seconds: Int64 = 0, counted: Bool = false,
        license: Int64 = 7, startsIn: Int64 = 0
    ) -> SessionReport {
        SessionReport(
            license: ContentLicenseID(number: license)!, version: version, session: self.session(session),
            sequence: sequence, startedAt: now.adding(seconds: startsIn), playSeconds: seconds, isCounted: counted,
            isEnded: false)!
    }
}
