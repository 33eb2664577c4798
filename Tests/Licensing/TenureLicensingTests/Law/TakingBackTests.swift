import Testing

@testable import TenureCore
@testable import TenureLicensing

/// Which changes a restore applies from a license's later state to an old copy, for every pair of states.
@Suite struct TakingBackTests {
    private static let stopped: [License.State] = [.suspended, .revoked, .returned]

    @Test(arguments: License.State.allCases, License.State.allCases)
    func `a restore applies the newer store's suspension, revocation or return of a license, but no reinstatement`(
        earlier: License.State, later: License.State
    ) {
        var (copied, present) = (Given.license(), Given.license())
        copied.recordedState = earlier
        present.recordedState = later
        let isTakenBack =
            Self.stopped.contains(later) && !Self.stopped.contains(earlier)
            || later.isFinal && earlier == .suspended
        #expect(copied.takingBack(present)?.0.recordedState == (isTakenBack ? later : nil))
    }

    @Test(
        arguments: [
            (nil, 100, 100), (100, nil, nil), (100, 50, 50), (50, 100, nil), (50, 50, nil), (nil, nil, nil),
        ] as [(Int?, Int?, Int?)])
    func `a restored license takes over its end from the newer store only if that end is earlier than the backup's`(
        earlier: Int?, later: Int?, used: Int?
    ) {
        var (copied, present) = (Given.license(), Given.license())
        copied.terms.term = Term(start: Given.license().term.start, length: earlier)
        present.terms.term = Term(start: Given.license().term.start, length: later)
        #expect(copied.takingBack(present)?.0.term == used.map { Term(start: copied.term.start, length: $0) })
    }

    @Test
    func `a restored license takes over its whole term from the newer store if that term starts before the backup's`() {
        var (copied, present) = (Given.license(), Given.license())
        copied.terms.term = Term(start: Given.license().term.start.adding(days: 10), length: 10)
        present.terms.term = Term(start: Given.license().term.start, length: 5)
        #expect(copied.takingBack(present)?.0.term == present.term)
    }

    /// Each row has the roots and generations of the copy, the later store and the result; 0 means no root.
    @Test(
        arguments: [
            ((1, 1), (1, 2), (1, 2)), ((1, 1), (0, 1), (0, 1)), ((0, 0), (1, 3), (1, 3)), ((1, 5), (1, 2), (0, 5)),
        ] as [((Int64, Int), (Int64, Int), (Int64, Int))])
    func `a restored key has the newer store's generation and root, or the backup's higher generation and no root`(
        earlier: (Int64, Int), later: (Int64, Int), result: (Int64, Int)
    ) {
        func license(_ derivation: (root: Int64, generation: Int), _ masked: String) -> License {
            var license = Given.license()
            license.key = LicenseKey(hash: license.key.hash, masked: masked)
            license.keyRoot = derivation.root == 0 ? nil : KeyRootID(number: derivation.root)
            license.keyGeneration = derivation.generation
            return license
        }
        let restored = license(earlier, "N-****-0001").takingBack(license(later, "N-****-0002"))?.0
        #expect(restored?.keyRoot == (result.0 == 0 ? nil : KeyRootID(number: result.0)))
        #expect(restored?.keyGeneration == result.1)
    }

    @Test
    func `a license's next key generation is the time in seconds, but at least one more than the last generation`() {
        var license = Given.license()
        license.keyGeneration = 1
        let now = Timestamp(seconds: 1_800_000_000)
        #expect(LicenseKey.Derivation.nextGeneration(for: license, at: now) == 1_800_000_000)
        license.keyGeneration = 1_800_000_007
        #expect(LicenseKey.Derivation.nextGeneration(for: license, at: now) == 1_800_000_008)
    }
}

/// How a license is merged if its store returned to an older copy, and both the lost state and the store in use have
/// changed the license since.
@Suite struct TakingBackFromALostStateTests {
    private static let otherKey = LicenseKey(hash: Digest([UInt8](repeating: 8, count: 32))!, masked: "NOTE-****")

    private func taken(own: Set<EventKind>, other: Set<EventKind>) -> License? {
        var (used, lost) = (Given.license(), Given.license(endsIn: 5))
        used.terms.holder = "own@example.com"
        lost.recordedState = .revoked
        lost.key = Self.otherKey
        return used.takingBack(lost, since: RecordChanges(own: own, other: other))?.0
    }

    @Test(
        arguments: [
            [], [.licenseChanged], [.licenseRenewed], [.licenseRekeyed], [.licenseReinstated], [.licenseSuspended],
        ] as [Set<EventKind>])
    func `a license that was revoked in a store's lost state is revoked in the store in use, whatever changed since`(
        own: Set<EventKind>
    ) throws {
        let license = try #require(taken(own: own, other: [.licenseRevoked]))
        #expect(license.recordedState == .revoked && license.holder == "own@example.com")
        #expect(license.key == Given.license().key && license.term == Given.license().term)
    }

    @Test func `a license that didn't change in a store's lost state isn't changed in the store in use`() {
        #expect(taken(own: [.licenseReinstated, .licenseRenewed, .licenseRekeyed], other: []) == nil)
        #expect(taken(own: [], other: []) == nil)
    }

    @Test(
        arguments: [([], true), ([.licenseChanged], true), ([.licenseRekeyed], false), ([.licenseTransferred], false)]
            as [(Set<EventKind>, Bool)])
    func `a license key that a store's lost state replaced stays replaced, unless the store in use replaced it too`(
        own: Set<EventKind>, isTaken: Bool
    ) {
        let license = taken(own: own, other: [.licenseRekeyed])
        #expect((license?.key == Self.otherKey) == isTaken)
    }

    @Test(arguments: [([], true), ([.licenseRenewed], false), ([.licenseChanged], false)] as [(Set<EventKind>, Bool)])
    func `a store's lost state keeps a term shortened unless the store in use has changed the license since`(
        own: Set<EventKind>, isTaken: Bool
    ) {
        let license = taken(own: own, other: [.licenseChanged])
        #expect((license?.term == Given.license(endsIn: 5).term) == isTaken)
    }

    @Test
    func `merging two states of a license keeps a first activation and an end of device counting that only one has`() {
        var (used, lost) = (Given.license(), Given.license())
        used.firstActivatedAt = nil
        used.recordedState = .issued
        lost.firstActivatedAt = lost.issuedAt
        lost.devicesCountUntil = lost.issuedAt
        let joined = LaterLicense.joined(used, with: lost)
        #expect(joined.firstActivatedAt == lost.issuedAt && joined.devicesCountUntil == lost.issuedAt)
        #expect(joined.recordedState == .active)
        #expect(LaterLicense.joined(lost, with: used) == LaterLicense.joined(lost, with: joined))
    }
}

/// The rights that a license's later terms grant beyond an old copy's, which a restore lists as lost.
@Suite struct GivingTests {
    @Test(
        arguments: [
            (nil, 100, false), (100, nil, true), (100, 50, false), (50, 100, true), (50, 50, false), (nil, nil, false),
        ] as [(Int?, Int?, Bool)])
    func `a restore lists a license's end in the newer store as lost only if it's later than the end in the backup`(
        earlier: Int?, later: Int?, isGiven: Bool
    ) {
        var (copied, present) = (Given.license().terms, Given.license().terms)
        copied.term = Term(start: copied.term.start, length: earlier)
        present.term = Term(start: present.term.start, length: later)
        #expect(copied.giving(present).isEmpty == !isGiven)
    }

    @Test
    func `a restore lists a license's changed policy, holder and order with the newer store's and the backup's values`()
        throws
    {
        var (copied, present) = (Given.license().terms, Given.license().terms)
        copied.holder = "old@example.com"
        present.holder = "heir@example.com"
        present.order = "o-1"
        present.policy = try #require(PolicyID("team"))
        #expect(
            copied.giving(present) == [
                "policy team instead of \(copied.policy)", "holder heir@example.com instead of old@example.com",
                "order o-1 instead of none",
            ])
    }
}

/// The later trials and activations that a restore lists, the events that explain a restored license, and the merging
/// of several later stores.
@Suite struct GivingTrialsTests {
    private static let reset = Event(
        .trialReset, at: Given.now, actor: Given.operatorAda, about: Event.Subject(Given.product))
    private static let extended = Event(
        .trialExtended, at: Given.now, actor: Given.operatorAda, about: Event.Subject(Given.product))

    private func trial(day: Int, extra: Int = 0) -> Trial {
        let start = Given.now.adding(days: day)
        return Trial(
            product: Given.product, device: Given.key.hash, start: start, recordedAt: start, extraDays: extra)
    }

    @Test(
        arguments: [
            ((0, 7), (1, 0), false, nil), ((0, 0), (1, 0), false, ["started again"]),
            ((0, 7), (1, 0), true, ["reset"]), ((0, 0), (0, 7), false, ["7 extra days instead of 0"]),
            ((0, 7), (0, 3), false, nil), ((0, 7), (0, 7), false, nil), ((1, 0), (0, 9), false, ["started again"]),
            ((1, 0), (0, 1), true, nil),
        ] as [((Int, Int), (Int, Int), Bool, [String]?)])
    func `a restore replaces a backup's trial only if the newer store's trial ends later or was reset to a later start`(
        copied: (Int, Int), later: (Int, Int), isReset: Bool, acts: [String]?
    ) {
        let given = trial(day: copied.0, extra: copied.1).giving(
            trial(day: later.0, extra: later.1), after: isReset ? [Self.reset] : [Self.extended])
        #expect(given == acts)
    }

    @Test
    func `the newer store's activation permits more than the backup's only if active again or no longer counted`() {
        let (live, released) = (Given.activation(), Given.activation(released: Given.now))
        var counted = released
        counted.countsUntil = Given.now.adding(days: 90)
        #expect(released.giving(live) == ["restored"])
        #expect(live.giving(released) == nil && live.giving(live) == nil && released.giving(released) == nil)
        #expect(counted.giving(released) == [], "the vendor has ended its count")
        #expect(released.giving(counted) == nil)
    }

    @Test func `the events that explain a restored license are those of the changes that the restore applies`() {
        let (active, suspended, revoked) = (Given.license(), Given.license(.suspended), Given.license(.revoked))
        #expect(active.explanations(of: active).isEmpty && suspended.explanations(of: active).isEmpty)
        #expect(active.explanations(of: suspended).contains(.licenseSuspended))
        #expect(suspended.explanations(of: suspended).contains(.licenseReasonChanged), "the reason may be new")
        #expect(revoked.explanations(of: suspended).isEmpty, "the copy stays revoked")
        #expect(active.explanations(of: revoked).isDisjoint(with: [.licenseRekeyed, .licenseChanged, .licenseRenewed]))
        var rekeyed = active
        rekeyed.key = LicenseKey(hash: Digest([UInt8](repeating: 8, count: 32))!, masked: "NOTE-****")
        #expect(active.explanations(of: rekeyed) == [.licenseRekeyed, .licenseTransferred])
        #expect(active.explanations(of: Given.license(endsIn: 5)) == [.licenseChanged])
    }

    private static func events(_ kinds: [EventKind]) -> [Event] {
        kinds.map { Event($0, at: Given.now, actor: .time, about: Event.Subject(Given.product)) }
    }

    @Test(
        arguments: [
            ([.licenseReinstated], [], true), ([.licenseReinstated], [.licenseRenewed], true),
            ([.licenseReinstated], [.licenseSuspended], false), ([.licenseRenewed], [.licenseSuspended], false),
            ([], [], false),
        ] as [([EventKind], [EventKind], Bool)])
    func `a restored license stays suspended unless one newer store reinstated it and no other suspended it`(
        own: [EventKind], others: [EventKind], starts: Bool
    ) {
        var later = Given.license(endsIn: 5)
        later.key = LicenseKey(hash: Digest([UInt8](repeating: 8, count: 32))!, masked: "NOTE-****")
        let suspended = Given.license(.suspended)
        let merged = LaterLicense(later, events: Self.events(own), others: Self.events(others)).merged(into: suspended)
        #expect(merged.recordedState.isOpen == starts)
        #expect(merged.key == suspended.key && merged.term == later.term)
    }

    @Test
    func `after a restore, a device stays released unless one newer store undid the release and no other repeated it`()
    {
        let (live, released) = (Given.activation(), Given.activation(released: Given.now))
        let (undone, other) = (Self.events([.activationRestored]), Self.events([.activationReleased]))
        #expect(released.merging(live, events: undone, others: []) == live)
        #expect(released.merging(live, events: [], others: []) == released)
        #expect(released.merging(live, events: undone, others: other) == released)
        #expect(live.merging(released, events: [], others: []) == released)
    }
}
