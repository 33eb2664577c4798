import TenureContent
import TenureCore
import Testing

/// Compares an item's status after random histories with the definition.
///
/// The definition is checked sentence by sentence in its documented order. It uses only the sessions in the ledger, not
/// the totals of the code under test.
@Suite struct StatusDefinitionTests {
    static let seeds = Array(UInt64(1)...60)

    /// A sentence of the definition: a status with its reason, and whether its condition holds.
    struct Sentence {
        let status: ContentStatus
        let reason: Reason.Kind
        let isSo: Bool
        /// Whether this status makes a renewal due.
        var isLimit = false
    }

    /// The definition, evaluated at one moment.
    struct Definition {
        let grant: ContentGrant
        let ledger: ContentLedger
        let instant: ContentStatus.Moment

        private var terms: ContentTerms { grant.terms }

        private func passed(_ end: Timestamp?) -> Bool { end.map { instant.now >= $0 } ?? false }

        private var counting: [PlaySession] { ledger.sessions.filter { $0.version >= ledger.countsFrom } }

        var plays: Int { ledger.carried.plays + counting.count { $0.isCounted } }

        /// A started second counts as a whole second.
        var seconds: Int64 {
            ledger.carried.playSeconds
                + counting.map { $0.chargedMillis / 1_000 + ($0.chargedMillis % 1_000 == 0 ? 0 : 1) }.reduce(0, +)
        }

        /// Whether the last play continues without using a new one, because the play is open or hasn't rested too long.
        private var goesOn: Bool {
            guard let last = ledger.sessions.last, last.version == ledger.version || last.isCounted || last.isPaid
            else { return false }
            guard case .resting(let since) = last.state else { return true }
            return since.seconds(until: instant.now) < terms.resumeWithinSeconds
        }

        private var isOnline: Bool {
            instant.signedAt.map { $0.seconds(until: instant.now) < ContentStatus.Moment.onlineSeconds } ?? false
        }

        private var windowEnd: Timestamp? {
            ledger.firstPlayAt.flatMap { first in terms.windowAfterFirstPlay.map { first.adding(seconds: $0) } }
        }

        private var hasDate: Bool {
            [terms.notBefore, terms.expiresAt, terms.checkInBy].contains { $0 != nil }
                || terms.windowAfterFirstPlay != nil
        }

        var arePlaysUsedUp: Bool { terms.plays.map { plays >= $0 } ?? false }

        var sentences: [Sentence] {
            let stop = ledger.stop
            return [
                Sentence(status: .deleted, reason: .contentLicenseDeleted, isSo: stop == .deleted),
                Sentence(status: .revoked, reason: .contentLicenseRevoked, isSo: stop == .revoked),
                Sentence(status: .returned, reason: .contentLicenseReturned, isSo: stop == .returned),
                Sentence(status: .returned, reason: .deviceReleased, isSo: stop == .released),
                Sentence(status: .expired, reason: .contentLicenseExpired, isSo: stop == .expired),
                Sentence(
                    status: .notYetValid, reason: .grantNotStarted,
                    isSo: terms.notBefore.map { instant.now < $0 } ?? false),
                Sentence(status: .dateOver, reason: .grantExpired, isSo: passed(terms.expiresAt), isLimit: true),
                Sentence(status: .windowOver, reason: .playWindowOver, isSo: passed(windowEnd), isLimit: true),
                Sentence(
                    status: .playsUsedUp, reason: .playsUsedUp, isSo: arePlaysUsedUp && !goesOn, isLimit: true),
                Sentence(
                    status: .playTimeUsedUp, reason: .playTimeUsedUp,
                    isSo: terms.playSeconds.map { seconds >= $0 } ?? false, isLimit: true),
                Sentence(
                    status: .checkInOverdue, reason: .checkInOverdue, isSo: passed(terms.checkInBy), isLimit: true),
                Sentence(
                    status: .onlineNeeded, reason: .onlineNeeded, isSo: terms.onlineRequired && !isOnline),
                Sentence(
                    status: .clockSetBack, reason: .contentClockSetBack, isSo: instant.isSetBack && hasDate),
            ].filter(\.isSo)
        }

        var isDue: Bool { sentences.contains(where: \.isLimit) || arePlaysUsedUp || passed(terms.renewFrom) }

        var status: ContentStatus { sentences.first?.status ?? (isDue ? .renewalDue : .valid) }
    }

    private static func terms(_ random: inout SeededGenerator) -> ContentTerms {
        var terms = PlayingPropertyTests.terms(&random)
        if UInt8.random(in: 0..<4, using: &random) == 0 {
            terms.notBefore = GivenContent.now.adding(seconds: .random(in: 1...600, using: &random))
        }
        terms.onlineRequired = UInt8.random(in: 0..<4, using: &random) == 0
        return terms
    }

    /// Returns a moment with a recent, old or missing server time, and sometimes with the clock set back.
    private static func moment(_ now: Timestamp, _ random: inout SeededGenerator) -> ContentStatus.Moment {
        let ago = ([0, 1, 59, 60, 61, 5_000] as [Int64]).randomElement(using: &random)
        return ContentStatus.Moment(
            now, isSetBack: UInt8.random(in: 0..<4, using: &random) == 0,
            signedAt: Bool.random(using: &random) ? ago.map { now.adding(seconds: -$0) } : nil)
    }

    @Test(arguments: seeds)
    func `in random histories, a content item's status and reasons match an independent computation`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed &* 7_919)
        var player = SimulatedPlayer(GivenContent.grant { $0 = Self.terms(&random) })
        var seen: Set<ContentStatus> = []
        for _ in 0..<150 {
            let step = PlayingPropertyTests.Step.allCases.randomElement(using: &random) ?? .play
            PlayingPropertyTests.take(step, &player, &random)
            // A jump in time, as from a journey or a corrected clock.
            if UInt8.random(in: 0..<16, using: &random) == 0 {
                player.wait(millis: .random(in: 1...9_000_000, using: &random))
            }
            for _ in 0..<4 {
                let later = player.now.adding(seconds: .random(in: 0...1_200, using: &random))
                let time = Self.moment(later, &random)
                let said = player.grant.status(of: player.ledger, at: time)
                let definition = Definition(grant: player.grant, ledger: player.ledger, instant: time)
                #expect(said.status == definition.status)
                #expect(said.reasons.map(\.code) == definition.sentences.map(\.reason))
                #expect(said.isDue == definition.isDue)
                #expect(said.playsLeft == player.grant.terms.plays.map { max(0, $0 - definition.plays) })
                #expect(said.secondsLeft == player.grant.terms.playSeconds.map { max(0, $0 - definition.seconds) })
                seen.insert(said.status)
            }
        }
        #expect(seen.count > 1)
    }

    @Test func `the generated random histories reach every content status`() {
        var seen: Set<ContentStatus> = []
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            var player = SimulatedPlayer(GivenContent.grant { $0 = Self.terms(&random) })
            for _ in 0..<40 {
                let step = PlayingPropertyTests.Step.allCases.randomElement(using: &random) ?? .play
                PlayingPropertyTests.take(step, &player, &random)
                let time = Self.moment(player.now, &random)
                seen.insert(player.grant.status(of: player.ledger, at: time).status)
            }
        }
        #expect(seen == Set(ContentStatus.allCases))
    }
}
