import TenureContent
import TenureCore
import Testing

/// How a policy determines a grant's terms, which limits Kollus can't express, and which items an enrolment covers.
@Suite struct ContentTermsTests {
    static let now = GivenContent.now

    @Test(
        arguments: [
            // Expiry, check-in and renewal lead, in days, then seconds until the renewal is due. The enrolment has no
            // end.
            (30, nil, 3, 27 * 86_400), (30, 7, 3, 4 * 86_400), (30, 2, 3, 86_400), (nil, 7, 3, 4 * 86_400),
            (1, nil, 3, 43_200), (30, nil, 0, 30 * 86_400), (30, 60, 20, 15 * 86_400),
        ] as [(Int?, Int?, Int, Int64)])
    func `a renewal's lead time is the policy's, but at most half of the time until the end or check-in date`(
        expiry: Int?, checkIn: Int?, ahead: Int, due: Int64
    ) {
        let policy = GivenContent.policy {
            $0.expiresAfterDays = expiry
            $0.checkInDays = checkIn
            $0.renewAheadDays = ahead
        }
        let terms = ContentTerms(under: policy, until: nil, at: Self.now)
        #expect(terms.renewFrom == Self.now.adding(seconds: due))
    }

    @Test
    func `a grant ends with its enrolment at the latest, and is never due for renewal without an end or check-in date`()
    {
        let policy = GivenContent.policy {
            $0.renewAfterExpiryDays = 5; $0.graceHours = 2; $0.windowAfterFirstPlayHours = 48
        }
        let terms = ContentTerms(under: policy, until: Self.now.adding(days: 4), at: Self.now)
        #expect(terms.expiresAt == Self.now.adding(days: 4) && terms.renewUntil == Self.now.adding(days: 9))
        #expect(terms.graceSeconds == 7_200 && terms.windowAfterFirstPlay == 172_800 && terms.plays == 3)
        let free = ContentTerms(under: GivenContent.policy { $0.expiresAfterDays = nil }, until: nil, at: Self.now)
        #expect(free.expiresAt == nil && free.renewFrom == nil && free.renewUntil == nil && free.reach == .unlimited)
    }

    @Test func `a content policy's defaults are three devices, a ten-minute resume time and a reset on renewal`() {
        let policy = ContentPolicy(id: ContentPolicyID("p")!)
        #expect(policy.deviceLimit == 3 && policy.deviceChanges == 3 && policy.resumeWithinSeconds == 600)
        #expect(policy.renewAheadDays == 3 && policy.onRenewal == .reset && policy.whenOver == .finish)
        #expect(policy.kollusBreaches.isEmpty)
    }

    @Test(
        arguments: [
            (1_000, 60, []), (1_001, 604_800, ["grantedPlays"]), (1, 59, ["grantedPlaySeconds"]),
            (1, 604_801, ["grantedPlaySeconds"]),
        ] as [(Int, Int, [String])])
    func `the limits of a content policy that Kollus can't express are listed`(
        plays: Int, seconds: Int, members: [String]
    ) {
        let policy = GivenContent.policy { ($0.grantedPlays, $0.grantedPlaySeconds) = (plays, seconds) }
        #expect(policy.kollusBreaches.map(\.member) == members)
    }

    @Test func `plays are unlimited in effect under a policy whose unlimited renewals reset them`() {
        #expect(GivenContent.policy().refillsPlaysForEver)
        #expect(!GivenContent.policy { $0.maxRenewals = 3 }.refillsPlaysForEver)
        #expect(!GivenContent.policy { $0.onRenewal = .carry }.refillsPlaysForEver)
        #expect(!GivenContent.policy { $0.grantedPlays = nil }.refillsPlaysForEver)
    }

    @Test func `renewals continue a playback window only under a policy that has one and carries usage over`() {
        #expect(
            GivenContent.policy {
                $0.onRenewal = .carry; $0.windowAfterFirstPlayHours = 48
            }.carriesWindow)
        #expect(!GivenContent.policy { $0.windowAfterFirstPlayHours = 48 }.carriesWindow)
        #expect(!GivenContent.policy { $0.onRenewal = .carry }.carriesWindow)
    }

    @Test func `a course enrolment covers the course's current items, each under the most specific policy`() {
        let (own, ofCourse, ofEnrolment) = (
            ContentPolicyID("own")!, ContentPolicyID("course")!, ContentPolicyID("enrolment")!
        )
        let added = ContentID("mck-2")!
        var catalog = ContentCatalog(
            policies: Dictionary(
                uniqueKeysWithValues: [own, ofCourse, ofEnrolment].map { ($0, ContentPolicy(id: $0)) }),
            items: [GivenContent.lesson: ContentCatalog.Item(id: GivenContent.lesson, title: "Lesson 1", policy: own)],
            courses: [
                GivenContent.course: ContentCatalog.Course(
                    id: GivenContent.course, title: "Swift", items: [GivenContent.lesson])
            ])
        let enrolment = GivenContent.enrolment(scope: .course(GivenContent.course))
        func policy(_ content: ContentID, _ enrolment: Enrolment) -> ContentPolicyID? {
            catalog.policy(of: content, under: enrolment)?.id
        }
        #expect(policy(GivenContent.lesson, enrolment) == own && policy(added, enrolment) == nil)
        catalog.courses[GivenContent.course]?.policy = ofCourse
        #expect(policy(GivenContent.lesson, enrolment) == ofCourse)
        #expect(policy(GivenContent.lesson, GivenContent.enrolment()) == own)
        let named = Enrolment(
            id: enrolment.id, tenant: enrolment.tenant, holder: "h", scope: enrolment.scope,
            terms: Enrolment.Terms(policy: ofEnrolment), madeAt: Self.now)
        #expect(policy(GivenContent.lesson, named) == ofEnrolment)
        // A lesson that is added to the course is covered immediately. One that is removed is no longer covered.
        catalog.items[added] = ContentCatalog.Item(id: added, title: "Lesson 2", policy: own)
        catalog.courses[GivenContent.course]?.items = [added]
        #expect(policy(added, enrolment) == ofCourse && policy(GivenContent.lesson, enrolment) == nil)
        #expect(policy(added, GivenContent.enrolment()) == nil)
        #expect(catalog.items[added]?.kollusKey == "mck-2")
    }

    @Test(arguments: [
        ("mck-1", true), ("3pQb:x.y_~", true), ("", false), ("a b", false), ("a/b", false), ("é", false),
        (String(repeating: "a", count: 128), true), (String(repeating: "a", count: 129), false),
    ]) func `a content id has 1 to 128 characters and no blank, slash or non-ASCII letter`(text: String, isGood: Bool) {
        #expect((ContentID(text) != nil) == isGood)
    }

    @Test func `an id with the prefix of another record isn't read as an enrolment id or a content license id`() {
        #expect(EnrolmentID(text: "enr_63zefwwzyf616")?.description == "enr_63zefwwzyf616")
        #expect(ContentLicenseID(text: "CLC_1TBHF3YXD7Z42")?.description == "clc_1tbhf3yxd7z42")
        #expect(EnrolmentID(text: "clc_1tbhf3yxd7z42") == nil && ContentLicenseID(text: "lic_1tbhf3yxd7z42") == nil)
        #expect(EnrolmentID(number: -1) == nil)
        var random = SeededGenerator(seed: 5)
        let id = ContentLicenseID.random(using: &random)
        #expect(ContentLicenseID(text: id.description) == id)
    }

    @Test func `the registered reasons and events of offline content have unique codes and texts`() {
        let (reasons, events) = (Reason.Kind.content, EventKind.content)
        #expect(Set(reasons.map(\.text)).count == reasons.count && Set(reasons.map(\.sentence)).count == reasons.count)
        #expect(Set(events.map(\.text)).count == events.count && Set(events.map(\.sentence)).count == events.count)
        #expect(reasons.allSatisfy { $0.cure.hasSuffix(".") && $0.sentence.hasSuffix(".") })
    }
}
