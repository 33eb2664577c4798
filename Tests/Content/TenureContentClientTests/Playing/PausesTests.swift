import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// Charges for plays and play time before the first frame, during a pause, and while the device sleeps.
@Suite struct PausesTests {
    private static func library(_ tablet: Tablet, _ basis: ContentTerms.Basis = .wall) async throws -> ContentLibrary {
        try await tablet.filled(1...1) {
            $0.grantedPlays = 3
            $0.grantedPlaySeconds = 10_000
            $0.playTimeBasis = basis
        }
    }

    @Test func `a playback that is paused before its first frame uses no play and no play time`() async throws {
        let tablet = Tablet()
        let library = try await Self.library(tablet)
        let playback = try await library.playing(1)
        await playback.pause()
        tablet.clock.pass(60)
        #expect(await playback.resume() == .goesOn)
        tablet.clock.pass(60)
        await playback.pause()
        await playback.end()
        #expect(await library.content("mck-1")?.playsLeft == 3)
        #expect(await library.content("mck-1")?.secondsLeft == 10_000)
    }

    @Test
    func `a playback opened before a renewal and started after it counts as one play of the new version`() async throws
    {
        let tablet = Tablet()
        let library = try await Self.library(tablet)
        let playback = try await library.playing(1)
        _ = await library.renewal(.all)
        #expect(await library.kept(1)?.grant.version == 2)
        #expect(await library.content("mck-1")?.playsLeft == 3)
        let before = await library.kept(1)?.ledger.sessions
        #expect(before?.allSatisfy { $0.startedAt == nil } == true)
        await playback.shown()
        await playback.end()
        #expect(await library.content("mck-1")?.playsLeft == 2)
    }

    @Test func `the time of a pause isn't charged although the player keeps sending reports`() async throws {
        let tablet = Tablet()
        let library = try await Self.library(tablet)
        let playback = try await library.playing(1)
        await playback.shown()
        #expect(await PlaybackTests.play(playback, tablet, seconds: 7) == 7)
        await playback.pause()
        #expect(await PlaybackTests.play(playback, tablet, seconds: 100, speed: 0) == 100)
        await playback.resume()
        #expect(await PlaybackTests.play(playback, tablet, seconds: 3) == 3)
        await playback.end()
        #expect(await library.content("mck-1")?.secondsLeft == 9_990)
    }

    @Test(arguments: [ContentTerms.Ledger.reset, .carry])
    func `a renewal during a long pause charges no second play`(
        _ ledger: ContentTerms.Ledger
    ) async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 2
            $0.onRenewal = ledger
        }
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.pause()
        _ = await library.renewal(.all)
        tablet.clock.pass(3_600)
        #expect(await playback.resume() == .goesOn)
        #expect(await PlaybackTests.play(playback, tablet, seconds: 20) == 20)
        await playback.end()
        #expect(await library.kept(1)?.grant.version == 2)
        #expect(await library.content("mck-1")?.playsLeft == (ledger == .carry ? 1 : 2))
    }

    @Test(arguments: [ContentTerms.Ledger.reset, .carry], [0, 1])
    func `a renewal during a play charges no second play, however short the resume time is`(
        _ ledger: ContentTerms.Ledger, resumeWithin seconds: Int
    ) async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 2
            $0.onRenewal = ledger
            $0.resumeWithinSeconds = seconds
        }
        let playback = try await library.playing(1)
        await playback.shown()
        #expect(await PlaybackTests.play(playback, tablet, seconds: 20) == 20)
        _ = await library.renewal(.all)
        tablet.clock.pass(2)
        #expect(await PlaybackTests.play(playback, tablet, seconds: 20) == 20)
        await playback.end()
        #expect(await library.kept(1)?.grant.version == 2)
        #expect(await library.content("mck-1")?.playsLeft == (ledger == .carry ? 1 : 2))
        tablet.clock.pass(2)
        let next = try await library.playing(1)
        await next.shown()
        #expect(await library.content("mck-1")?.playsLeft == (ledger == .carry ? 0 : 1))
    }

    @Test(arguments: ContentTerms.Basis.allCases)
    func `each system sleep during a play is charged at most one reporting interval`(_ basis: ContentTerms.Basis)
        async throws
    {
        let tablet = Tablet()
        let library = try await Self.library(tablet, basis)
        let playback = try await library.playing(1)
        await playback.shown()
        #expect(await PlaybackTests.play(playback, tablet, seconds: 10) == 10)
        tablet.clock.pass(3_600)
        await playback.rendered(seconds: 1)
        tablet.clock.pass(3_600)
        await playback.end()
        #expect(await library.content("mck-1")?.secondsLeft == (basis == .media ? 9_989 : 9_980))
    }

    @Test func `a play metered by elapsed time is charged in full if its player reports only once a minute`()
        async throws
    {
        let tablet = Tablet()
        let library = try await Self.library(tablet)
        let playback = try await library.playing(1)
        await playback.shown()
        for _ in 0..<5 {
            tablet.clock.pass(60)
            await playback.rendered(seconds: 90)
        }
        await playback.end()
        #expect(await library.content("mck-1")?.secondsLeft == 9_700)
    }
}
