import TenureContent
import TenureCore
import Testing

/// Who gets a license, on how many devices, and with which terms.
@Suite struct IssueContentTests {
    static let now = GivenContent.now
    static let id = GivenContent.enrolment

    private func issue(
        _ known: [ContentLicense] = [], _ offers: [Enrolment.Offer], device: Digest = GivenContent.device
    ) -> ContentAnswer {
        ContentLicense.issue(GivenContent.request(device: device), known: known, offers: offers, at: Self.now)
    }

    @Test func `a first license has version 1, a place and the policy's terms`() {
        let answer = issue([], [GivenContent.offer(GivenContent.enrolment(endsIn: 86_400)) { $0.checkInDays = 7 }])
        #expect(answer.outcome == .renewed && answer.grant?.version == 1 && answer.grant?.settled == 0)
        #expect(answer.grant?.terms.expiresAt == Self.now.adding(days: 1))
        #expect(answer.consequences.places == [Enrolment.Place(enrolment: Self.id, device: GivenContent.device)])
        #expect(answer.consequences.events.map(\.kind) == [.contentLicensed])
    }

    @Test func `what is held already is answered as it is`() {
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
    func `what was taken back is not had again, but under another enrolment`(
        state: ContentLicense.State, code: Reason.Kind
    ) {
        let known = [GivenContent.license(state)]
        #expect(issue(known, [GivenContent.offer()]).reasons.map(\.code) == [code])
        let ended = issue(known, [GivenContent.offer(GivenContent.enrolment(3, .ended))])
        #expect(ended.reasons.map(\.code) == [code, .enrolmentEnded])
        let again = issue(known, [GivenContent.offer(), GivenContent.offer(GivenContent.enrolment(4, endsIn: 9))])
        #expect(again.outcome == .renewed && again.license?.enrolment.number == 4)
        #expect(again.license?.id == GivenContent.request().newID)
    }

    @Test func `what was given back is had anew`() {
        let answer = issue([GivenContent.license(.returned)], [GivenContent.offer()])
        #expect(answer.outcome == .renewed && answer.grant?.version == 1)
    }

    @Test func `without an open enrolment that covers it there is none`() {
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
        let terms = ContentLicense.terms(known: [], offers: closed, at: Self.now)
        #expect(terms.refusal?.reasons == answer.reasons)
        let open = ContentLicense.terms(known: [], offers: [GivenContent.offer()], at: Self.now)
        #expect(open.outcome?.terms == issue([], [GivenContent.offer()]).grant?.terms)
    }

    struct PlaceRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The state of each device: taken, free, or held for some days.
        let places: [UInt8: Enrolment.Place.State]
        var takenDaysAgo: [Int] = []
        var limit: Int? = 2
        var changes: Int? = 3
        /// The devices that are replaced early; `nil` if the request is refused.
        let early: [UInt8]?
        var changesInDays: Int?
    }

    static func held(_ days: Int) -> Enrolment.Place.State { .held(.until(now.adding(days: days))) }

    /// Device 1 requests a license.
    static let placeRows: [PlaceRow] = [
        PlaceRow(testDescription: "none taken", places: [:], early: []),
        PlaceRow(testDescription: "one taken", places: [2: .taken], early: []),
        PlaceRow(testDescription: "its own, and all taken", places: [1: .taken, 2: .taken], early: []),
        PlaceRow(testDescription: "its own is held", places: [1: held(9), 2: .taken], early: []),
        PlaceRow(testDescription: "all taken", places: [2: .taken, 3: .taken], early: nil),
        PlaceRow(testDescription: "all taken, no limit", places: [2: .taken, 3: .taken], limit: nil, early: []),
        PlaceRow(testDescription: "one is nobody's", places: [2: .taken, 3: .free], early: []),
        PlaceRow(testDescription: "one was held until now", places: [2: .taken, 3: held(0)], early: []),
        PlaceRow(testDescription: "one is held", places: [2: .taken, 3: held(9)], early: [3]),
        PlaceRow(testDescription: "the one that ends first", places: [2: held(20), 3: held(9)], early: [3]),
        PlaceRow(testDescription: "one is held for ever", places: [2: .held(.unlimited), 3: held(9)], early: [3]),
        PlaceRow(
            testDescription: "taken early often enough", places: [2: .taken, 3: held(40)],
            takenDaysAgo: [29, 2, 1], early: nil, changesInDays: 1),
        PlaceRow(
            testDescription: "one of them no longer counts", places: [2: .taken, 3: held(9)],
            takenDaysAgo: [30, 2, 1], early: [3]),
        PlaceRow(
            testDescription: "the hold ends before", places: [2: .taken, 3: held(5)], takenDaysAgo: [3, 2, 1],
            early: nil, changesInDays: 5),
        PlaceRow(
            testDescription: "never early", places: [2: .taken, 3: held(9)], changes: 0, early: nil, changesInDays: 9),
        PlaceRow(
            testDescription: "as often as one likes", places: [2: .taken, 3: held(9)], takenDaysAgo: [1, 1, 1, 1],
            changes: nil, early: [3]),
        PlaceRow(
            testDescription: "the limit was lowered", places: [2: held(3), 3: held(9), 4: held(6)], limit: 1,
            early: [2, 4, 3]),
        PlaceRow(
            testDescription: "lowered, and more than may change", places: [2: held(3), 3: held(9), 4: held(6)],
            limit: 1, changes: 1, early: nil, changesInDays: 6),
    ]

    @Test(arguments: placeRows) func `a device gets a place by the table`(_ row: PlaceRow) {
        let places = row.places.sorted { $0.key < $1.key }
            .map { Enrolment.Place(enrolment: Self.id, device: GivenContent.device($0.key), state: $0.value) }
        let takings = row.takenDaysAgo.map {
            Enrolment.EarlyTaking(enrolment: Self.id, device: GivenContent.device(9), at: Self.now.adding(days: -$0))
        }
        let answer = issue(
            [],
            [
                GivenContent.offer(places: places, takings: takings) {
                    $0.deviceLimit = row.limit
                    $0.deviceChanges = row.changes
                }
            ])
        #expect((answer.outcome == .renewed) == (row.early != nil))
        #expect(answer.consequences.takings.map(\.device) == (row.early ?? []).map { GivenContent.device($0) })
        #expect(answer.consequences.events.count { $0.kind == .placeTakenEarly } == row.early?.count ?? 0)
        for event in answer.consequences.events { #expect(event.kind.facts.faults(in: event.facts) == []) }
        if row.early == nil {
            #expect(answer.reasons.map(\.code) == [.deviceLimitReached])
            #expect(answer.reasons.first?.changesAt == row.changesInDays.map { Self.now.adding(days: $0) })
        }
    }

    @Test func `one place does not serve a classroom, however the places go round`() {
        var places: [Enrolment.Place] = []
        var takings: [Enrolment.EarlyTaking] = []
        var given = 0
        for turn in 0..<40 {
            let device = GivenContent.device(UInt8(turn % 2))
            let offer = GivenContent.offer(places: places, takings: takings) {
                $0.deviceLimit = 1; $0.deviceChanges = 3
            }
            let answer = issue([], [offer], device: device)
            guard let license = answer.license else { continue }
            given += 1
            let back = license.giveBack(
                others: [], place: answer.consequences.places.first ?? places.first { $0.device == device },
                by: .device,
                at: Self.now)
            for place in answer.consequences.places + (back.outcome?.places ?? []) {
                places.removeAll { $0.device == place.device }
                places.append(place)
            }
            takings += answer.consequences.takings
        }
        #expect(takings.count == 3)
        #expect(places.count { $0.counts(at: Self.now) } == 1)
        #expect(given == 4 + 18)
    }

    @Test func `a place stays taken while another license is on the device`() {
        let place = Enrolment.Place(enrolment: Self.id, device: GivenContent.device)
        let one = GivenContent.license(number: 1)
        let other = GivenContent.license(number: 2) { $0.expiresAt = Self.now.adding(days: 90) }
        let first = one.giveBack(others: [other], place: place, by: .device, at: Self.now)
        #expect(first.outcome?.places == [])
        let gone = GivenContent.license(.returned, number: 1)
        let last = other.giveBack(others: [gone], place: place, by: .device, at: Self.now)
        #expect(last.outcome?.places.map(\.state) == [.held(.until(Self.now.adding(days: 90)))])
        let ever = GivenContent.license(number: 3) { $0.expiresAt = nil }
        let held = ever.giveBack(others: [], place: place, by: .device, at: Self.now)
        #expect(held.outcome?.places.map(\.state) == [.held(.unlimited)])
    }
}
