import Foundation
import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

@Suite struct PlaybackTests {
    /// Plays up to `seconds` seconds, one at a time, until playback stops. Returns the number of seconds played.
    ///
    /// - Parameter library: If given, waits for its background work before each second. Simulated seconds pass as fast
    ///   as the host allows, so a server response could otherwise arrive too late.
    static func play(
        _ playback: ContentPlayback, _ tablet: Tablet, seconds: Int, speed: Double = 1,
        awaiting library: ContentLibrary? = nil
    ) async -> Int {
        for second in 0..<seconds {
            await library?.rest()
            tablet.clock.pass(1)
            if case .stops = await playback.rendered(seconds: speed) { return second }
        }
        return seconds
    }

    @Test func `a play is counted at its first frame, and its time at each report`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 3
            $0.grantedPlaySeconds = 1_000
        }
        let playback = try await library.playing(1)
        #expect(await library.content("mck-1")?.playsLeft == 3)
        await playback.shown()
        #expect(await library.content("mck-1")?.playsLeft == 2)
        #expect(await Self.play(playback, tablet, seconds: 30) == 30)
        await playback.pause()
        tablet.clock.pass(3_600)
        #expect(await playback.resume() == .goesOn)
        #expect(await Self.play(playback, tablet, seconds: 10, speed: 2) == 10)
        await playback.end()
        #expect(await library.content("mck-1")?.secondsLeft == 950)
        #expect(await playback.rendered(seconds: 1) != .goesOn)
    }

    @Test func `used-up play time stops a play after two warnings`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlaySeconds = 700
            $0.renewable = false
        }
        let playback = try await library.playing(1)
        await playback.shown()
        let played = await Self.play(playback, tablet, seconds: 1_000)
        #expect((699...701).contains(played))
        var events: [PlayEvent] = []
        for await event in playback.events { events.append(event) }
        guard case .endsSoon(let five) = events.first, case .endsSoon(let one) = events.dropFirst().first,
            case .stopped(let why) = events.last
        else {
            Issue.record("the events were \(events)")
            return
        }
        #expect((295...300).contains(five) && (55...60).contains(one))
        #expect(why.codes == ["play_time_used_up"])
        #expect(await library.content("mck-1")?.secondsLeft == 0)
        #expect(await library.play("mck-1").refused?.0.codes.first == "play_time_used_up")
    }

    @Test func `the license of a running play is renewed in the background, and the play continues`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlaySeconds = 700
            $0.grantedPlays = 1
        }
        let playback = try await library.playing(1)
        await playback.shown()
        _ = await Self.play(playback, tablet, seconds: 410)
        await library.until { $0.renewals.running == nil && $0.kept(1)?.grant.version == 2 }
        #expect(await Self.play(playback, tablet, seconds: 390) == 390)
        await playback.end()
        // The playback is one play of the first version. Its time after the renewal counts against the new version.
        #expect(await library.content("mck-1")?.playsLeft == 1)
        #expect(await library.content("mck-1")?.status.isPlayable == true)
    }

    @Test(arguments: [ContentTerms.WhenOver.finish, .stop, .grace])
    func `when its license ends, a running play stops, stops after the grace period or continues, by the policy's rule`(
        _ whenOver: ContentTerms.WhenOver
    ) async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.expiresAfterDays = 1
            $0.whenOver = whenOver
            $0.graceHours = 1
            $0.renewable = false
        }
        tablet.clock.pass(86_400 - 600)
        let playback = try await library.playing(1)
        await playback.shown()
        let played = await Self.play(playback, tablet, seconds: 5_000, awaiting: library)
        let expected = [ContentTerms.WhenOver.finish: 5_000, .stop: 599, .grace: 4_199][whenOver] ?? 0
        // The server's time is up to a second old when it arrives.
        #expect((expected...expected + 1).contains(played))
        await playback.end()
        #expect(await library.play("mck-1").refused?.0.codes.first == "grant_expired")
    }

    @Test func `a crash during a play charges at most one reporting interval and no second play`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlaySeconds = 1_000
            $0.grantedPlays = 3
        }
        let playback = try await library.playing(1)
        await playback.shown()
        #expect(await Self.play(playback, tablet, seconds: 33) == 33)
        tablet.clock.pass(3_600)
        let again = try await tablet.open()
        let left = try #require(await again.content("mck-1")?.secondsLeft)
        #expect((1_000 - 38...1_000 - 30).contains(left))
        #expect(await again.content("mck-1")?.playsLeft == 2)
    }

    @Test func `content that was requested without a network is renewed when the network is back`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2) { $0.expiresAfterDays = 2 }
        tablet.clock.pass(3 * 86_400)
        tablet.server.set(.noNetwork)
        let no = try #require(await library.play("mck-2").refused)
        #expect(no.0.codes == ["grant_expired", "content_unreached"])
        #expect(no.1 == .retry)
        #expect(await library.ledgerContents.requestedContent == "mck-2")
        tablet.server.set(.portal)
        await library.networkMayBeBack()
        #expect(await library.status(2) == .dateOver)
        tablet.server.set(.clear)
        await library.networkMayBeBack()
        #expect(await library.status(1) == .valid)
        #expect(await library.status(2) == .valid)
        #expect(await library.ledgerContents.requestedContent == nil)
        #expect(await !library.waitsForNetwork)
    }

    @Test func `a request to play is refused after ten seconds at most if the server never responds`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.expiresAfterDays = 1 }
        tablet.clock.pass(2 * 86_400)
        let silence = tablet.server.hold("/renewals")
        // The server hasn't responded yet, so only the alarm can have ended the attempt.
        let answered = CrashedDisk()
        let playing = Task {
            let answer = await library.play("mck-1")
            _ = answered.count()
            return answer.refused?.1
        }
        await library.until { _ in tablet.server.isHolding && !tablet.clock.alarms.isEmpty }
        #expect(tablet.clock.alarms == [.seconds(10)])
        tablet.clock.ring()
        await library.until { _ in answered.hasCounted }
        silence.finish()
        #expect(await playing.value == .retry)
        #expect(await library.content("mck-1")?.lastNo?.codes == ["content_unreached"])
    }

    @Test func `used-up content is renewed and played once the confirmation that its policy requires is given`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 1
            $0.askBeforeRenew = true
            $0.resumeWithinSeconds = 0
        }
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        tablet.clock.pass(600)
        guard case .asks(let why) = await library.play("mck-1") else {
            Issue.record("it didn't ask for confirmation")
            return
        }
        #expect(why.codes == ["plays_used_up"])
        guard case .plays = await library.play("mck-1", confirmed: true) else {
            Issue.record("it was confirmed, but didn't play")
            return
        }
        #expect(await library.kept(1)?.grant.version == 2)
    }

    @Test func `a refusal lists a reason only once if both the device and the server give it`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 1
            $0.onRenewal = .carry
            $0.resumeWithinSeconds = 0
        }
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        tablet.clock.pass(600)
        #expect(await library.play("mck-1").refused?.0.codes == ["plays_used_up"])
    }

    @Test func `content that requires a connection plays only after a check with the server`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.onlineRequired = true }
        tablet.clock.pass(100)
        tablet.server.set(.noNetwork)
        #expect(await library.play("mck-1").refused?.0.codes.first == "online_required")
        tablet.server.set(.clear)
        let playback = try await library.playing(1)
        await playback.shown()
        #expect(await Self.play(playback, tablet, seconds: 50) == 50)
    }

    @Test func `with the clock set back, content is playable again after a request to the server`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1)
        #expect(await library.renewal(.all).progress.count == 1)
        tablet.clock.restart()
        tablet.clock.turnWall(by: -9 * 86_400)
        let again = try await tablet.open()
        #expect(await again.status(1) == .clockSetBack)
        #expect(await again.content("mck-1")?.recovery == .setClock)
        tablet.server.set(.noNetwork)
        #expect(await again.play("mck-1").refused?.1 == .setClock)
        #expect(await again.content("mck-1")?.recovery == .setClock, "also after an attempt without a network")
        tablet.server.set(.clear)
        _ = try await again.playing(1)
    }

    @Test func `a grant that doesn't verify is requested again`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1)
        let forged = Given.grant(1, version: 9)
        try await library.keep([.grant(forged, proof: Given.proof(Given.grant(1, version: 8)))])
        tablet.server.set(.noNetwork)
        #expect(await library.play("mck-1").refused?.0.codes.first == "grant_unproven")
        tablet.server.set(.clear)
        _ = try await library.playing(1)
        let content = Given.content(1)
        #expect(await library.kept(1)?.grant == tablet.server.with { $0.license("mia", content)?.present })
    }

    @Test func `a full disk stops a play after about half a minute`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1)
        let playback = try await library.playing(1)
        await playback.shown()
        tablet.disks["mia"]?.stepsLeft = 0
        let played = await Self.play(playback, tablet, seconds: 100)
        #expect((28...32).contains(played))
    }
}
