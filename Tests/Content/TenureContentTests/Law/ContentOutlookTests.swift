import Testing

@testable import TenureContent
@testable import TenureCore

/// The outlook of an item for its holder as a table: state, reasons, next change and remedy.
@Suite struct ContentOutlookTests {
    static let now = GivenContent.now

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var state = ContentLicense.State.active
        var used = ContentUse.none
        var terms: @Sendable (inout ContentTerms) -> Void = { _ in }
        var policy: @Sendable (inout ContentPolicy) -> Void = { _ in }
        var enrolment = GivenContent.enrolment()
        /// The state and the codes of the obstacles to playback; then, each after a `;`, the codes of the refusals, and
        /// the remedy.
        let expected: String
        /// Days until the state changes automatically; `nil` if it never does.
        var changes: Int?
    }

    static let rows: [Row] = [
        Row(testDescription: "playable", expected: "plays;;", changes: 30),
        Row(testDescription: "without an end", terms: { $0.expiresAt = nil }, expected: "plays;;"),
        Row(
            testDescription: "a day before its end", terms: { $0.expiresAt = now.adding(days: 1) }, expected: "plays;;",
            changes: 1),
        Row(
            testDescription: "at its end, and renewable", terms: { $0.expiresAt = now },
            expected: "renews grant_expired;;connect"),
        Row(
            testDescription: "all plays used", used: ContentUse(plays: 3), expected: "renews plays_used_up;;connect"),
        Row(
            testDescription: "the check-in is overdue", terms: { $0.checkInBy = now },
            expected: "renews check_in_overdue;;connect"),
        Row(
            testDescription: "all plays used, and the count is carried over", used: ContentUse(plays: 3),
            policy: { $0.onRenewal = .carry }, expected: "locked plays_used_up;;vendor"),
        Row(
            testDescription: "expired, and all plays used with a carried-over count",
            used: ContentUse(plays: 3),
            terms: { $0.expiresAt = now }, policy: { $0.onRenewal = .carry },
            expected: "locked grant_expired plays_used_up;;vendor"),
        Row(
            testDescription: "expired, and not renewable", terms: { $0.expiresAt = now },
            policy: { $0.renewable = false },
            expected: "locked grant_expired;not_renewable;vendor"),
        Row(
            testDescription: "expired, and renewed as often as allowed", terms: { $0.expiresAt = now },
            policy: { $0.maxRenewals = 0 }, expected: "locked grant_expired;renewal_over;vendor"),
        Row(
            testDescription: "paused, and not expired", enrolment: GivenContent.enrolment(3, .paused),
            expected: "plays;enrolment_paused;vendor", changes: 30),
        Row(
            testDescription: "paused, and expired", terms: { $0.expiresAt = now },
            enrolment: GivenContent.enrolment(3, .paused), expected: "locked grant_expired;enrolment_paused;vendor"),
        Row(
            testDescription: "expired, and the enrolment starts later", terms: { $0.expiresAt = now },
            enrolment: GivenContent.enrolment(startsIn: 3 * 86_400),
            expected: "locked grant_expired;enrolment_not_started;wait", changes: 3),
        Row(
            testDescription: "expired, and the enrolment has ended", terms: { $0.expiresAt = now },
            enrolment: GivenContent.enrolment(endsIn: -1), expected: "locked grant_expired;enrolment_ended;vendor"),
        Row(
            testDescription: "revoked", state: .revoked, expected: "locked content_license_revoked;;vendor"),
        Row(
            testDescription: "expired by the vendor", state: .expired,
            expected: "locked content_license_expired;;vendor"),
        Row(testDescription: "deleted", state: .deleted, expected: "locked content_license_deleted;;vendor"),
    ]

    @Test(arguments: rows)
    func `the outlook of a content license says whether it plays, can be renewed or is locked, and why`(_ row: Row) {
        let license = GivenContent.license(row.state, used: row.used, row.terms)
        let outlook = license.outlook(offers: [GivenContent.offer(row.enrolment, row.policy)], at: Self.now)
        #expect(outlook.text == row.expected)
        #expect(outlook.changesAt == row.changes.map { Self.now.adding(days: $0) })
    }

    @Test func `an expired license can be renewed under another open enrolment`() {
        let license = GivenContent.license { $0.expiresAt = Self.now }
        let ended = GivenContent.offer(GivenContent.enrolment(3, .ended))
        let bought = GivenContent.offer(GivenContent.enrolment(4))
        #expect(license.outlook(offers: [ended], at: Self.now).text == "locked grant_expired;enrolment_ended;vendor")
        #expect(license.outlook(offers: [ended, bought], at: Self.now).text == "renews grant_expired;;connect")
    }

    @Test func `content is offered if the holder's devices can use it or another device can become active`() {
        let devices = { (states: [Enrolment.Device.State]) in
            states.enumerated().map { number, state in
                Enrolment.Device(
                    enrolment: EnrolmentID(number: 3)!, device: GivenContent.device(UInt8(number)), state: state)
            }
        }
        let outlook = { (states: [Enrolment.Device.State], changes: Int) in
            [
                GivenContent.offer(devices: devices(states)) {
                    $0.deviceLimit = 2; $0.deviceChanges = changes
                }
            ]
            .outlook(at: Self.now)
        }
        let later = Self.now.adding(days: 9)
        #expect(outlook([], 0).text == "offered;;")
        #expect(outlook([.active, .active], 0).text == "offered;;", "one of these devices can use it")
        #expect(
            outlook([.recent(.until(later)), .recent(.unlimited)], 1).text == "offered;;", "one device is replaced")
        let full = outlook([.recent(.until(later)), .recent(.unlimited)], 0)
        #expect(full.text == "locked;device_limit_reached;release" && full.changesAt == later)
        #expect([Enrolment.Offer]().outlook(at: Self.now).text == "locked;enrolment_unknown;vendor")
        let paused = [GivenContent.offer(GivenContent.enrolment(3, .paused))].outlook(at: Self.now)
        #expect(paused.text == "locked;enrolment_paused;vendor")
        #expect(ContentOutlook.forAll.text == "offered;;")
    }

    @Test func `another device is refused only once the device limit is reached`() {
        let device = Enrolment.Device(enrolment: EnrolmentID(number: 3)!, device: GivenContent.device(1))
        let devices = Enrolment.Devices(EnrolmentID(number: 3)!, [device])
        #expect(devices.obstacle(toAnother: GivenContent.policy { $0.deviceLimit = 2 }, at: Self.now) == nil)
        #expect(devices.obstacle(toAnother: GivenContent.policy { $0.deviceLimit = nil }, at: Self.now) == nil)
        let full = devices.obstacle(toAnother: GivenContent.policy { $0.deviceLimit = 1 }, at: Self.now)
        #expect(full?.code == .deviceLimitReached && full?.changesAt == nil)
    }

    @Test func `every content reason that reaches a device or a page names a help action`() {
        let operators: Set<Reason.Kind> = [.extensionNotLater, .enrolmentNeverEnds, .endNotEarlier, .referenceTaken]
        for kind in Reason.Kind.content where !operators.contains(kind) { #expect(Reason(kind).help != nil, "\(kind)") }
        #expect(operators.allSatisfy { Reason($0).help == nil })
    }
}

extension ContentOutlook {
    fileprivate var text: String {
        let before = ([state.rawValue] + obstacles.map(\.code.text)).joined(separator: " ")
        return
            "\(before);\(refusals.map(\.code.text).joined(separator: " "));"
            + helps.map(\.rawValue).joined(separator: " ")
    }
}
