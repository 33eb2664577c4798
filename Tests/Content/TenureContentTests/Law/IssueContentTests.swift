import TenureContent
import TenureCore
import Testing

/// Decisions about new content licenses: who gets one, on how many devices, and with which terms.
@Suite struct IssueContentTests {
    static let now = GivenContent.now
    static let id = GivenContent.enrolment

    private func issue(
        _ existing: [ContentLicense] = [], _ offers: [Enrolment.Offer], device: Digest = GivenContent.device
    ) -> ContentAnswer {
        ContentLicense.issue(GivenContent.request(device: device), existing: existing, offers: offers, at: Self.now)
    }

    @Test
    func `a device's first content license has version 1, an activation and an end no later than the enrolment's`() {
        let answer = issue([], [GivenContent.offer(GivenContent.enrolment(endsIn: 86_400)) { $0.checkInDays = 7 }])
        #expect(answer.outcome == .renewed && answer.grant?.version == 1 && answer.grant?.settled == 0)
        #expect(answer.grant?.terms.expiresAt == Self.now.adding(days: 1))
        #expect(answer.consequences.devices == [Enrolment.Device(enrolment: Self.id, device: GivenContent.device)])
        #expect(answer.consequences.events.map(\.kind) == [.contentLicensed])
    }

    @Test func `requesting content again while its license is active returns the same license`() {
        let held = GivenContent.license()
        let answer = issue([held], [GivenContent.offer()])
        #expect(answer.outcome == .unchanged && answer.grant == held.present && answer.consequences == .none)
        let closed = issue([held], [GivenContent.offer(GivenContent.enrolment(3, .ended))])
        #expect(closed.outcome == .unchanged && closed.consequences == .none)
        let moved = issue(
            [held],
            [GivenContent.offer(GivenContent.enrolment(3, .ended)), GivenContent.offer(GivenContent.enrolment(4))])
        #expect(moved.outcome == .unchanged && moved.license?.enrolment.number == 4)
    }

    @Test(arguments: [
        (ContentLicense.State.revoked, Reason.Kind.contentLicenseRevoked), (.expired, .contentLicenseExpired),
        (.deleted, .contentLicenseDeleted),
    ])
    func `content whose license was revoked, expired or deleted is licensed again only under another enrolment`(
        state: ContentLicense.State, code: Reason.Kind
    ) {
        let existing = [GivenContent.license(state)]
        #expect(issue(existing, [GivenContent.offer()]).reasons.map(\.code) == [code])
        let ended = issue(existing, [GivenContent.offer(GivenContent.enrolment(3, .ended))])
        #expect(ended.reasons.map(\.code) == [code, .enrolmentEnded])
        let again = issue(existing, [GivenContent.offer(), GivenContent.offer(GivenContent.enrolment(4, endsIn: 9))])
        #expect(again.outcome == .renewed && again.license?.enrolment.number == 4)
        #expect(again.license?.id == GivenContent.request().newID)
    }

    @Test func `content whose license was returned can be licensed again`() {
        let answer = issue([GivenContent.license(.returned)], [GivenContent.offer()])
        #expect(answer.outcome == .renewed && answer.grant?.version == 1)
    }

    @Test func `no license is issued without an open enrolment for the content`() {
        #expect(issue([], []).reasons.map(\.code) == [.enrolmentUnknown])
        #expect(
            issue([], [Enrolment.Offer(GivenContent.enrolment(), policy: nil)]).reasons.map(\.code)
                == [.enrolmentUnknown])
        let closed = [
            GivenContent.offer(GivenContent.enrolment(3, .paused)),
            GivenContent.offer(GivenContent.enrolment(4, startsIn: 5)),
        ]
        let answer = issue([], closed)
        #expect(answer.reasons.map(\.code) == [.enrolmentPaused, .enrolmentNotStarted])
        #expect(answer.act == .none && answer.license == nil && answer.grant == nil)
        let terms = ContentLicense.terms(existing: [], offers: closed, at: Self.now)
        #expect(terms.refusal?.reasons == answer.reasons)
        let open = ContentLicense.terms(existing: [], offers: [GivenContent.offer()], at: Self.now)
        #expect(open.outcome?.terms == issue([], [GivenContent.offer()]).grant?.terms)
    }

    struct DeviceRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The state of each device: active, inactive, or recent for some days.
        let devices: [UInt8: Enrolment.Device.State]
        var replacedDaysAgo: [Int] = []
        var limit: Int? = 2
        var changes: Int? = 3
        /// The devices that are replaced early; `nil` if the request is refused.
        let early: [UInt8]?
        var changesInDays: Int?
    }

    static func recent(_ days: Int) -> Enrolment.Device.State { .recent(.until(now.adding(days: days))) }

    /// In each row, device 1 requests a license.
    static let deviceRows: [DeviceRow] = [
        DeviceRow(testDescription: "no devices", devices: [:], early: []),
        DeviceRow(testDescription: "one active device", devices: [2: .active], early: []),
        DeviceRow(
            testDescription: "the requesting device is active, and the limit is reached",
            devices: [1: .active, 2: .active], early: []),
        DeviceRow(testDescription: "the requesting device is recent", devices: [1: recent(9), 2: .active], early: []),
        DeviceRow(
            testDescription: "two other active devices reach the limit", devices: [2: .active, 3: .active], early: nil),
        DeviceRow(testDescription: "no limit", devices: [2: .active, 3: .active], limit: nil, early: []),
        DeviceRow(testDescription: "another device is inactive", devices: [2: .active, 3: .inactive], early: []),
        DeviceRow(testDescription: "another device counted until now", devices: [2: .active, 3: recent(0)], early: []),
        DeviceRow(
            testDescription: "another device is recent, and is replaced", devices: [2: .active, 3: recent(9)],
            early: [3]),
        DeviceRow(
            testDescription: "of two recent devices, the one that ends first is replaced",
            devices: [2: recent(20), 3: recent(9)], early: [3]),
        DeviceRow(
            testDescription: "a device that counts without an end is not replaced",
            devices: [2: .recent(.unlimited), 3: recent(9)], early: [3]),
        DeviceRow(
            testDescription: "the device changes are used up", devices: [2: .active, 3: recent(40)],
            replacedDaysAgo: [29, 2, 1], early: nil, changesInDays: 1),
        DeviceRow(
            testDescription: "one of the device changes no longer counts", devices: [2: .active, 3: recent(9)],
            replacedDaysAgo: [30, 2, 1], early: [3]),
        DeviceRow(
            testDescription: "a recent device stops counting before a device change does",
            devices: [2: .active, 3: recent(5)],
            replacedDaysAgo: [3, 2, 1],
            early: nil, changesInDays: 5),
        DeviceRow(
            testDescription: "no device changes are allowed", devices: [2: .active, 3: recent(9)], changes: 0,
            early: nil, changesInDays: 9
        ),
        DeviceRow(
            testDescription: "any number of device changes is allowed", devices: [2: .active, 3: recent(9)],
            replacedDaysAgo: [1, 1, 1, 1],
            changes: nil, early: [3]),
        DeviceRow(
            testDescription: "the limit was lowered", devices: [2: recent(3), 3: recent(9), 4: recent(6)], limit: 1,
            early: [2, 4, 3]),
        DeviceRow(
            testDescription: "the limit was lowered by more than the allowed device changes",
            devices: [2: recent(3), 3: recent(9), 4: recent(6)],
            limit: 1, changes: 1, early: nil, changesInDays: 6),
    ]

    @Test(arguments: deviceRows)
    func `a new device is activated within the device limit or by an allowed replacement of a recent device`(
        _ row: DeviceRow
    ) {
        let devices = row.devices.sorted { $0.key < $1.key }
            .map { Enrolment.Device(enrolment: Self.id, device: GivenContent.device($0.key), state: $0.value) }
        let changes = row.replacedDaysAgo.map {
            Enrolment.DeviceChange(enrolment: Self.id, device: GivenContent.device(9), at: Self.now.adding(days: -$0))
        }
        let answer = issue(
            [],
            [
                GivenContent.offer(devices: devices, changes: changes) {
                    $0.deviceLimit = row.limit
                    $0.deviceChanges = row.changes
                }
            ])
        #expect((answer.outcome == .renewed) == (row.early != nil))
        #expect(answer.consequences.changes.map(\.device) == (row.early ?? []).map { GivenContent.device($0) })
        #expect(answer.consequences.events.count { $0.kind == .deviceReplacedEarly } == row.early?.count ?? 0)
        for event in answer.consequences.events { #expect(event.kind.facts.faults(in: event.facts) == []) }
        if row.early == nil {
            #expect(answer.reasons.map(\.code) == [.deviceLimitReached])
            #expect(answer.reasons.first?.changesAt == row.changesInDays.map { Self.now.adding(days: $0) })
        }
    }

    @Test func `two devices that take turns under a device limit of one use up the device changes`() {
        var devices: [Enrolment.Device] = []
        var changes: [Enrolment.DeviceChange] = []
        var given = 0
        for turn in 0..<40 {
            let device = GivenContent.device(UInt8(turn % 2))
            let offer = GivenContent.offer(devices: devices, changes: changes) {
                $0.deviceLimit = 1; $0.deviceChanges = 3
            }
            let answer = issue([], [offer], device: device)
            guard let license = answer.license else { continue }
            given += 1
            let back = license.giveBack(
                others: [], device: answer.consequences.devices.first ?? devices.first { $0.device == device },
                by: .device,
                at: Self.now)
            for device in answer.consequences.devices + (back.outcome?.devices ?? []) {
                devices.removeAll { $0.device == device.device }
                devices.append(device)
            }
            changes += answer.consequences.changes
        }
        #expect(changes.count == 3)
        #expect(devices.count { $0.counts(at: Self.now) } == 1)
        #expect(given == 4 + 18)
    }

    @Test func `returning a content license ends the device's activation only if the device has no other license`() {
        let device = Enrolment.Device(enrolment: Self.id, device: GivenContent.device)
        let one = GivenContent.license(number: 1)
        let other = GivenContent.license(number: 2) { $0.expiresAt = Self.now.adding(days: 90) }
        let first = one.giveBack(others: [other], device: device, by: .device, at: Self.now)
        #expect(first.outcome?.devices == [])
        let gone = GivenContent.license(.returned, number: 1)
        let last = other.giveBack(others: [gone], device: device, by: .device, at: Self.now)
        #expect(last.outcome?.devices.map(\.state) == [.recent(.until(Self.now.adding(days: 90)))])
        let ever = GivenContent.license(number: 3) { $0.expiresAt = nil }
        let held = ever.giveBack(others: [], device: device, by: .device, at: Self.now)
        #expect(held.outcome?.devices.map(\.state) == [.recent(.unlimited)])
    }
}
