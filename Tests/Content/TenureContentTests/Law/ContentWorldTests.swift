import TenureContent
import TenureCore
import Testing

/// Random histories of devices that play offline, lose responses and repeat requests, and a server that may be restored
/// from a backup.
@Suite struct ContentWorldTests {
    static let seeds = Array(UInt64(1)...80)

    /// The server's records of one license, and the state of its device.
    struct World {
        var random: SeededGenerator
        var license: ContentLicense
        var sessions: [PlaySessionID: SessionReport] = [:]
        var player: SimulatedPlayer
        var policy: ContentPolicy
        var enrolment = GivenContent.enrolment()
        var backup: (ContentLicense, [PlaySessionID: SessionReport])?
        var requests = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            policy = GivenContent.policy {
                $0.grantedPlaySeconds = 300
                $0.resumeWithinSeconds = 60
            }
            if seed.isMultiple(of: 2) { policy.onRenewal = .carry }
            if seed.isMultiple(of: 3) { policy.playTimeBasis = .wall }
            policy.grantedPlays = 9
            let offer = Enrolment.Offer(enrolment, policy: policy)
            let first = ContentLicense.issue(
                GivenContent.request(), existing: [], offers: [offer], at: GivenContent.now)
            license = first.license ?? GivenContent.license()
            player = SimulatedPlayer(license.present)
        }

        /// Reports all sessions in random order, some of them twice.
        mutating func report() {
            var reports = player.ledger.sessions.compactMap { SessionReport($0, of: player.grant, at: player.now) }
            reports += reports.filter { _ in Bool.random(using: &random) }
            reports.shuffle(using: &random)
            let settled = license.settling(reports, existing: Array(sessions.values), at: player.now)
            license = settled.license
            for session in settled.sessions { sessions[session.session] = session }
        }

        /// Renews the license. The response may be lost.
        mutating func renew() -> ContentAnswer {
            requests += 1
            let renewal = ContentRenewal(
                version: player.grant.version, isAlways: Bool.random(using: &random), grant: player.grant,
                request: "r-\(requests)")
            let answer = license.renew(
                renewal, offers: [Enrolment.Offer(enrolment, policy: policy)],
                ahead: sessions.values.filter { $0.version > license.version }, at: player.now)
            license = answer.consequences.licenses.last ?? license
            if let grant = answer.grant, Bool.random(using: &random) {
                player.ledger.settle(upTo: license.settled, under: player.grant.terms, at: player.now)
                player.ledger.adopt(grant)
                if grant.version >= player.grant.version { player.grant = grant }
                player.ledger.take(license.used, settled: license.settled, under: player.grant)
                player.goOnPlaying()
            }
            return answer
        }
    }

    @Test(arguments: seeds)
    func `in random histories, the server counts each play once, and the version on a device never decreases`(
        seed: UInt64
    ) {
        var world = World(seed: seed)
        for _ in 0..<80 {
            let (version, deviceVersion) = (world.license.version, world.player.grant.version)
            var isRestored = false
            switch Int.random(in: 0..<12, using: &world.random) {
            case 0, 1, 2: world.player.play(millis: .random(in: 1...40_000, using: &world.random))
            case 3: world.player.ledger.rest(at: world.player.now)
            case 4: world.player.wait(millis: .random(in: 1...90_000, using: &world.random))
            case 5: world.player.ledger.recover(under: world.player.grant, at: world.player.now)
            case 6, 7: world.report()
            case 8, 9:
                world.report()
                let answer = world.renew()
                #expect(answer.outcome != .renewed || (answer.grant?.version ?? 0) > deviceVersion)
                #expect(answer.outcome != .unchanged || answer.grant?.version == deviceVersion)
            case 10:
                if let (license, sessions) = world.backup {
                    (world.license, world.sessions) = (license, sessions)
                    isRestored = true
                }
                world.backup = nil
            default: world.backup = (world.license, world.sessions)
            }
            #expect(isRestored || world.license.version >= version)
            #expect(world.player.grant.version >= deviceVersion)
            let ledger = world.player.ledger
            #expect(ledger.used.plays <= world.player.grant.terms.plays ?? .max)
            #expect(ledger.used.playSeconds <= world.player.grant.terms.playSeconds ?? .max)
            // The server counts exactly the use in the sessions of the current versions, each session once.
            let counted = world.sessions.values.filter {
                ($0.version >= world.license.countsFrom) && $0.version <= world.license.version
            }
            #expect(world.license.used == counted.reduce(ContentUse.none) { $0 + $1.use })
        }
        // Once everything is reported, the server counts no more than the device. It counts less only if the restored
        // backup lacks sessions that the device has dropped.
        world.report()
        if world.license.version == world.player.grant.version {
            let (device, server) = (world.player.ledger.used, world.license.used)
            #expect(device.plays >= server.plays && device.playSeconds >= server.playSeconds)
        }
    }

    @Test(arguments: seeds)
    func `in random histories without a restored backup, device and server count the same use`(seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<60 {
            world.player.play(millis: .random(in: 1...40_000, using: &world.random))
            if Bool.random(using: &world.random) { world.player.ledger.rest(at: world.player.now) }
            if Bool.random(using: &world.random) { world.player.wait(millis: 90_000) }
            world.report()
            if Bool.random(using: &world.random) { _ = world.renew() }
            guard world.license.version == world.player.grant.version else { continue }
            #expect(world.player.ledger.used == world.license.used)
            #expect(world.license.settled <= world.player.ledger.sequence)
        }
        #expect(world.license.version > 1)
    }

    @Test func `a play session's counted use only grows, and a report with no more use than counted changes nothing`() {
        let license = GivenContent.license()
        let first = GivenContent.report(1, sequence: 5, seconds: 40, counted: true)
        let once = license.settling([first], existing: [], at: GivenContent.now)
        #expect(once.license.used == ContentUse(plays: 1, playSeconds: 40) && once.license.settled == 5)
        #expect(once.license.firstPlayAt == GivenContent.now)
        let again = once.license.settling(
            [first, GivenContent.report(1, sequence: 3, seconds: 10)], existing: once.sessions, at: GivenContent.now)
        #expect(again.license == once.license && again.sessions.isEmpty && again.events.isEmpty)
        let more = once.license.settling(
            [GivenContent.report(1, version: 9, sequence: 4, seconds: 60)], existing: once.sessions,
            at: GivenContent.now)
        #expect(more.license.used == ContentUse(plays: 1, playSeconds: 60))
        #expect(more.sessions.map(\.version) == [1] && more.sessions.map(\.isCounted) == [true])
        let foreign = license.settling(
            [GivenContent.report(1, seconds: 60, license: 8)], existing: [], at: GivenContent.now)
        #expect(foreign.license == license && foreign.sessions.isEmpty)
    }

    @Test func `plays reported with future dates are recorded as starting now, and together cause one event`() {
        let license = GivenContent.license()
        let reports = [(1, 300), (2, 301), (3, 63_072_000), (4, -60)].map {
            GivenContent.report($0.0, sequence: Int64($0.0), counted: true, startsIn: $0.1)
        }
        let settled = license.settling(reports, existing: [], at: GivenContent.now)
        #expect(settled.sessions.map { GivenContent.now.seconds(until: $0.startedAt) } == [0, 0, 0, -60])
        let events = settled.events.filter { $0.kind == .playsDatedAhead }
        #expect(events.count == 1)
        for event in events { #expect(event.kind.facts.faults(in: event.facts) == []) }
        let latest = Reason.Evidence("reportedStart", .date(GivenContent.now.adding(seconds: 63_072_000)))
        #expect(events.first?.facts.contains(latest) == true)
        #expect(events.first?.facts.contains(Reason.Evidence("sessions", .number(2))) == true)
        let again = settled.license.settling(reports, existing: settled.sessions, at: GivenContent.now)
        #expect(again.events.isEmpty)
    }

    @Test func `reported use beyond the grant is recorded in one event and still counted`() {
        let license = GivenContent.license { $0.plays = 1 }
        let reports = (1...3).map { GivenContent.report($0, sequence: Int64($0), seconds: 1, counted: true) }
        let first = license.settling(reports, existing: [], at: GivenContent.now)
        #expect(first.license.used.plays == 3 && first.events.map(\.kind) == [.contentOverused])
        for event in first.events { #expect(event.kind.facts.faults(in: event.facts) == []) }
        let later = first.license.settling(
            [GivenContent.report(4, seconds: 1, counted: true)], existing: [], at: GivenContent.now)
        #expect(later.license.used.plays == 4 && later.events.isEmpty && later.license.playsLeft == 0)
    }

    @Test(
        arguments: [
            (0, 1, 1, false), (1, -1, 1, false), (1, 0, -1, false), (1, 0, 1 << 31, true), (1, 0, (1 << 31) + 1, false),
            (.max, .max / 2, 0, true), (1, .max / 2 + 1, 0, false),
        ] as [(Int64, Int64, Int64, Bool)])
    func `a report of a play session with a value out of range is refused`(
        version: Int64, sequence: Int64, seconds: Int64, isGood: Bool
    ) {
        let report = SessionReport(
            license: GivenContent.license, version: version, session: GivenContent.session(1), sequence: sequence,
            startedAt: GivenContent.now, playSeconds: seconds, isCounted: false, isEnded: false)
        #expect((report != nil) == isGood)
    }
}
