import TenureContent
import TenureCore
import Testing

/// Random histories of playing, pausing, seeking, speed changes, crashes and renewals, with random terms.
@Suite struct PlayingPropertyTests {
    static let seeds = Array(UInt64(1)...60)

    static func terms(_ random: inout SeededGenerator) -> ContentTerms {
        func some<Value>(_ value: @autoclosure () -> Value) -> Value? {
            Bool.random(using: &random) ? value() : nil
        }
        var terms = ContentTerms()
        let now = GivenContent.now
        terms.playTimeBasis = Bool.random(using: &random) ? .media : .wall
        if Bool.random(using: &random) { terms.plays = Int.random(in: 1...4, using: &random) }
        if Bool.random(using: &random) { terms.playSeconds = Int64.random(in: 1...900, using: &random) }
        if Bool.random(using: &random) { terms.countAfterSeconds = Int64.random(in: 0...60, using: &random) }
        if Bool.random(using: &random) { terms.expiresAt = now.adding(seconds: .random(in: 1...9_000, using: &random)) }
        if Bool.random(using: &random) { terms.checkInBy = now.adding(seconds: .random(in: 1...9_000, using: &random)) }
        if Bool.random(using: &random) { terms.windowAfterFirstPlay = .random(in: 1...5_000, using: &random) }
        if Bool.random(using: &random) { terms.renewFrom = now.adding(seconds: .random(in: 1...9_000, using: &random)) }
        terms.resumeWithinSeconds = Bool.random(using: &random) ? 600 : 0
        terms.whenOver = ContentTerms.WhenOver.allCases.randomElement(using: &random) ?? .stop
        terms.ledger = Bool.random(using: &random) ? .reset : .carry
        return terms
    }

    /// The kinds of steps in a history. `fall` is a crash of the player.
    enum Step: CaseIterable { case play, fastPlay, pause, close, fall, wait, renew, stop }

    static func take(_ step: Step, _ player: inout SimulatedPlayer, _ random: inout SeededGenerator) {
        let millis = Int64.random(in: 1...90_000, using: &random)
        switch step {
        case .play: player.play(millis: millis)
        case .fastPlay: player.play(millis: millis, permille: Int64.random(in: 250...3_000, using: &random))
        case .pause: player.ledger.pause(at: player.now)
        case .close: player.ledger.rest(at: player.now)
        case .fall:
            player.wait(millis: millis / 10)
            player.ledger.recover(under: player.grant, at: player.now)
        case .wait: player.wait(millis: millis * 10)
        case .renew: player.renew { $0.plays = $0.plays.map { $0 + 1 } }
        case .stop:
            guard UInt8.random(in: 0..<8, using: &random) == 0 else { return }
            player.ledger.stop(ContentLedger.Stop.allCases.randomElement(using: &random) ?? .expired, at: player.now)
        }
    }

    @Test(arguments: seeds)
    func `in random histories of a player, no limit is exceeded and each crash charges at most 15 extra seconds`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var player = SimulatedPlayer(GivenContent.grant { $0 = Self.terms(&random) })
        var falls: Int64 = 0
        for _ in 0..<120 {
            let step = Step.allCases.randomElement(using: &random) ?? .play
            let before = player.ledger
            Self.take(step, &player, &random)
            let (ledger, terms) = (player.ledger, player.grant.terms)
            if step == .fall { falls += 1 }
            #expect(ledger.used.plays <= terms.plays ?? .max)
            #expect(ledger.used.playSeconds <= terms.playSeconds ?? .max)
            #expect(ledger.version >= before.version && ledger.sequence >= before.sequence)
            #expect(ledger == before || ledger.sequence > before.sequence)
            // A session only grows, and never changes the version it counts against.
            for session in before.sessions where session.startedAt != nil {
                let same = ledger.sessions.first { $0.id == session.id }
                #expect(same.map { $0.version == session.version && $0.chargedMillis >= session.chargedMillis } == true)
                #expect(same.map { $0.isCounted || !session.isCounted } == true)
            }
            if step == .renew, terms.ledger == .reset { #expect(ledger.used == .none) }
            if step == .pause || step == .wait || step == .close { #expect(ledger.used == before.used) }
            // A crash costs at most 15 seconds of play time, and no play.
            if step == .fall {
                #expect(ledger.used.plays == before.used.plays)
                #expect(ledger.used.playSeconds - before.used.playSeconds <= 15)
            }
        }
        // The charged time was really rendered or played, except for at most 15 seconds per crash.
        let charged = player.ledger.sessions.map(\.chargedMillis).reduce(0, +)
        let real = player.grant.terms.playTimeBasis == .media ? player.rendered : player.played
        #expect(charged <= real + falls * 15_000)
        #expect(Set(player.ledger.sessions.map(\.id)).count == player.ledger.sessions.count)
    }

    @Test(arguments: seeds) func `a content item's status changes at the announced time and not before`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var player = SimulatedPlayer(GivenContent.grant { $0 = Self.terms(&random) })
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                Self.take(Step.allCases.randomElement(using: &random) ?? .play, &player, &random)
            }
            player.ledger.rest(at: player.now)
            func evaluation(_ time: Timestamp) -> ContentStatus.Evaluation {
                player.grant.status(of: player.ledger, at: ContentStatus.Moment(time))
            }
            func said(_ evaluation: ContentStatus.Evaluation) -> [String] {
                [evaluation.status.rawValue, "\(evaluation.isDue)"] + evaluation.reasons.map(\.code.text)
            }
            let first = evaluation(player.now)
            #expect(first.status.isPlayable == first.reasons.isEmpty)
            if case .until(let end) = first.reach {
                #expect(evaluation(end.adding(seconds: -1)).status.isPlayable || end == player.now)
                #expect(!evaluation(end).status.isPlayable)
            }
            guard let change = first.nextChangeAt else {
                for later in [1, 600, 9_000, 900_000] as [Int64] {
                    #expect(said(evaluation(player.now.adding(seconds: later))) == said(first))
                }
                continue
            }
            #expect(change > player.now)
            #expect(said(evaluation(change.adding(seconds: -1))) == said(first))
            #expect(said(evaluation(change)) != said(first))
        }
    }

    @Test func `a higher count of use on the server replaces the ledger's count`() {
        let grant = GivenContent.grant(settled: 9) {
            $0.plays = 5; $0.playSeconds = 600
        }
        var ledger = ContentLedger(grant)
        #expect(ledger.isBehind(10) && !ledger.isBehind(9))
        ledger.take(ContentUse(plays: 2, playSeconds: 100), settled: 12, under: grant)
        #expect(ledger.used == ContentUse(plays: 2, playSeconds: 100) && !ledger.isBehind(12))
        ledger.take(ContentUse(plays: 1, playSeconds: 200), settled: 3, under: grant)
        #expect(ledger.used == ContentUse(plays: 2, playSeconds: 200) && ledger.sequence == 12)
    }

    @Test func `losing or restoring the ledger doesn't restart a playback window`() {
        let grant = GivenContent.grant { $0.windowAfterFirstPlay = 60 }
        func windowEnd(_ ledger: ContentLedger) -> Timestamp? { ledger.windowEnd(of: grant.terms) }
        #expect(windowEnd(ContentLedger(grant)) == nil)
        #expect(windowEnd(ContentLedger(grant, used: ContentUse(plays: 1))) == grant.issuedAt.adding(seconds: 60))
        var ledger = ContentLedger(grant)
        ledger.take(.none, settled: 9, under: grant)
        #expect(windowEnd(ledger) == nil)
        ledger.take(ContentUse(playSeconds: 1), settled: 9, under: grant)
        #expect(windowEnd(ledger) == grant.issuedAt.adding(seconds: 60))
    }

    @Test
    func `a counted play session is removed from the ledger after the resume time, and its use stays counted`() {
        var player = SimulatedPlayer(GivenContent.grant { $0.plays = 5 })
        player.play(millis: 30_000)
        player.ledger.rest(at: player.now)
        let sequence = player.ledger.sequence
        var ledger = player.ledger
        ledger.settle(upTo: sequence, under: player.grant.terms, at: player.now)
        #expect(ledger == player.ledger)
        let later = player.now.adding(seconds: 600)
        ledger.settle(upTo: sequence - 1, under: player.grant.terms, at: later)
        #expect(ledger.sessions.count == 1)
        ledger.settle(upTo: sequence, under: player.grant.terms, at: later)
        #expect(ledger.sessions.isEmpty && ledger.used == ContentUse(plays: 1, playSeconds: 30))
    }

    @Test(
        arguments: [
            (ContentTerms.WhenOver.finish, nil, true), (.stop, 0, false), (.grace, 60, false),
        ] as [(ContentTerms.WhenOver, Int64?, Bool)])
    func `at its grant's end date, a running play continues, stops, or stops after the grace period, by its terms`(
        rule: ContentTerms.WhenOver, lasts: Int64?, finishes: Bool
    ) {
        let end = GivenContent.now.adding(seconds: 10)
        var player = SimulatedPlayer(
            GivenContent.grant {
                $0.expiresAt = end; $0.whenOver = rule; $0.graceSeconds = 60
            })
        player.play(millis: 5_000)
        func goesOn(_ seconds: Int64) -> Bool {
            if case .goesOn = player.grant.goingOn(
                of: player.ledger, at: ContentStatus.Moment(end.adding(seconds: seconds)))
            {
                return true
            }
            return false
        }
        #expect(goesOn(-1) && goesOn(90_000) == finishes)
        if let lasts { #expect(!goesOn(lasts) && goesOn(lasts - 1)) }
        // A new play never begins after the end date.
        player.ledger.rest(at: player.now)
        let late = player.ledger.opening(
            GivenContent.session(9), under: player.grant, at: ContentStatus.Moment(end))
        #expect(late.refusal?.first.code == .grantExpired)
    }

    @Test
    func `a play ends once its play time is used up, and is refused after a revocation until the license is renewed`() {
        var player = SimulatedPlayer(
            GivenContent.grant {
                $0.playSeconds = 5; $0.whenOver = .finish
            })
        player.play(millis: 9_000)
        let instant = ContentStatus.Moment(player.now)
        guard case .stops(let refusal) = player.grant.goingOn(of: player.ledger, at: instant) else {
            Issue.record("playback continues")
            return
        }
        #expect(refusal.first.code == .playTimeUsedUp && player.rendered == 5_000)
        var other = SimulatedPlayer(GivenContent.grant())
        other.play(millis: 1_000)
        other.ledger.stop(.revoked, at: other.now)
        let whileRevoked = other.open()
        #expect(!whileRevoked)
        other.ledger.stop(.expired, at: other.now)
        #expect(other.ledger.stop == .revoked)
        other.ledger.stop(.deleted, at: other.now)
        #expect(other.ledger.stop == .deleted)
        other.renew()
        let isOpen = other.open()
        #expect(other.ledger.stop == nil && isOpen)
    }
}
