import Foundation
import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// A clock that was ahead gives no additional use, and a device that was off loses none.
@Suite struct ClockAheadTests {
    private static let day: Int64 = 86_400

    /// Plays the item for a minute, from its first frame.
    private static func playOnce(_ tablet: Tablet, _ library: ContentLibrary) async throws {
        let playback = try await library.playing(1)
        await playback.shown()
        _ = await PlaybackTests.play(playback, tablet, seconds: 60)
        await playback.end()
    }

    /// Restarts the device with its clock moved, and starts the app.
    private static func restart(
        _ tablet: Tablet, turning seconds: Int64, after off: Int64 = 60
    ) async throws -> ContentLibrary {
        tablet.clock.turnWall(by: seconds)
        tablet.clock.restart(after: off)
        return try await tablet.open()
    }

    @Test(arguments: [29, 31, 730] as [Int64], [true, false])
    func `after a play with the clock ahead, later plays still use up the granted plays`(days: Int64, isOnline: Bool)
        async throws
    {
        let tablet = Tablet()
        _ = try await tablet.filled(1...1) {
            $0.grantedPlays = 3
            $0.renewable = false
        }
        if !isOnline { tablet.server.set(.noNetwork) }
        var library = try await Self.restart(tablet, turning: days * Self.day)
        try await Self.playOnce(tablet, library)
        #expect(await library.content("mck-1")?.playsLeft == 2)
        library = try await Self.restart(tablet, turning: -days * Self.day)
        await library.becameActive()
        for left in [1, 0] {
            tablet.clock.pass(3_600)
            try await Self.playOnce(tablet, library)
            #expect(await library.content("mck-1")?.playsLeft == left)
        }
        tablet.clock.pass(3_600)
        #expect(await library.play("mck-1").refused?.0.codes.first == "plays_used_up")
    }

    @Test(arguments: [29, 31, 730] as [Int64])
    func `a playback window that started with the clock ahead ends 48 hours after the first play`(days: Int64)
        async throws
    {
        let tablet = Tablet()
        _ = try await tablet.filled(1...1) {
            $0.windowAfterFirstPlayHours = 48
            $0.renewable = false
        }
        tablet.server.set(.noNetwork)
        var library = try await Self.restart(tablet, turning: days * Self.day)
        try await Self.playOnce(tablet, library)
        tablet.clock.pass(Self.day)
        _ = try await tablet.open()
        library = try await Self.restart(tablet, turning: -days * Self.day)
        tablet.server.set(.clear)
        await library.becameActive()
        #expect(await library.status(1) == .valid)
        tablet.clock.pass(Self.day - 3_600)
        #expect(await library.status(1) == .valid)
        tablet.clock.pass(3_600)
        #expect(await library.status(1) == .windowOver)
        let again = try await tablet.open()
        #expect(await again.status(1) == .windowOver)
    }

    @Test
    func `the playback window doesn't end early if the device was off for weeks before the first play`() async throws {
        let tablet = Tablet()
        _ = try await tablet.filled(1...1) {
            $0.windowAfterFirstPlayHours = 48
            $0.renewable = false
        }
        tablet.server.set(.noNetwork)
        var library = try await Self.restart(tablet, turning: 0, after: 40 * Self.day)
        try await Self.playOnce(tablet, library)
        library = try await Self.restart(tablet, turning: -39 * Self.day)
        #expect(await library.status(1) == .valid)
        tablet.clock.pass(Self.day)
        tablet.server.set(.clear)
        #expect(await library.checkIn(anyway: true) == nil)
        #expect(await library.status(1) == .valid)
        tablet.clock.pass(Self.day - 3_600)
        #expect(await library.status(1) == .valid)
        tablet.clock.pass(3_600)
        #expect(await library.status(1) == .windowOver)
    }

    @Test(arguments: [29, 31, 730] as [Int64], [false, true])
    func `a token from a sign-in with the clock ahead is still replaced before it ends`(days: Int64, isReplaced: Bool)
        async throws
    {
        let tablet = Tablet()
        _ = try await tablet.filled(1...1) { _ in }
        var library = try await Self.restart(tablet, turning: days * Self.day)
        let end = tablet.clock.truth.adding(seconds: 30 * Self.day)
        try await library.signIn(token: "t-mia", expiresAt: Date(end))
        if isReplaced {
            // By the wrong clock, half of the token's life is over, so the server replaces it. The library assumes the
            // new token's end.
            tablet.server.give(token: "t-mia.1", with: "/usage")
            await library.becameActive()
        }
        library = try await Self.restart(tablet, turning: -days * Self.day)
        await library.becameActive()
        tablet.server.give(token: "t-mia.2", with: "/usage")
        for _ in 0..<20 {
            tablet.clock.pass(Self.day)
            await library.becameActive()
        }
        #expect(await library.token?.text == "t-mia.2")
    }
}
