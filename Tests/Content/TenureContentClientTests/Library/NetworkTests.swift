import TenureClient
import TenureContent
import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureContentClient

@Suite struct NetworkTests {
    @Test
    func `the longest retry delay doubles from two seconds to five minutes, and is reset once work is done`() {
        let recovery = NetworkRecovery { _ in }
        recovery.want(after: RequestFailure(.offline, ""))
        var most: [Double] = []
        for _ in 0..<10 {
            most.append(recovery.most)
            recovery.failed()
        }
        #expect(most == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        recovery.answered()
        #expect(recovery.most == 300)
        recovery.done()
        #expect(recovery.most == 2)
        #expect(!recovery.wants)
    }

    @Test func `a renewal waiting for the network is sent once, after a request for the server's time succeeds`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3) { $0.expiresAfterDays = 1 }
        tablet.clock.pass(2 * 86_400)
        tablet.server.set(.portal)
        _ = await library.renewal(.due(within: 0))
        #expect(await library.waitsForNetwork)
        let requests = CrashedDisk()
        tablet.server.watch { [server = tablet.server] _ in if requests.count() == 5 { server.set(.clear) } }
        let watching = Task { await library.watchNetwork() }
        await library.until { !$0.waitsForNetwork && $0.renewals.running == nil && $0.runs.last?.finishedAt != nil }
        watching.cancel()
        await watching.value
        #expect(tablet.clock.slept.prefix(4) == [.seconds(2), .seconds(4), .seconds(8), .seconds(16)])
        #expect(tablet.server.with { $0.requestedItems.count } == 1)
        #expect(await library.contents().allSatisfy { $0.status == .valid })
        #expect(await library.runs.map(\.occasion) == ["recovery"])
    }

    @Test
    func `renewing a content license that the server may have lost fails temporarily until the server has it again`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2)
        tablet.server.with { server in
            server.lost = Set([server.license("mia", Given.content(2))?.id].compactMap(\.self))
        }
        let results = await library.renewal(.items(["mck-1", "mck-2"])).progress
        #expect(results.map(\.outcome) == [.renewed, .transient])
        #expect(results.last?.recovery == .retry)
        #expect(await library.kept(2)?.grant.version == 1)
        #expect(await library.waitsForNetwork)
        tablet.server.with { $0.lost = [] }
        #expect(await library.renewal(.items(["mck-2"])).progress.map(\.outcome) == [.renewed])
        #expect(await !library.waitsForNetwork)
    }

    @Test func `an app that becomes active starts a renewal run at most every fifteen minutes`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2) { $0.expiresAfterDays = 3 }
        await library.becameActive()
        tablet.clock.pass(2 * 86_400)
        await library.becameActive()
        await library.becameActive()
        tablet.clock.pass(14 * 60)
        await library.becameActive()
        #expect(await library.kept(1)?.grant.version == 2)
        #expect(await library.runs.count == 2)
        #expect(await library.runs.allSatisfy { $0.occasion == "foreground" && $0.finishedAt != nil })
        await library.backgroundAsked()
        #expect(await library.runs.last?.ranAt == nil)
        await library.runInBackground()
        #expect(await library.runs.count == 3)
        #expect(await library.runs.last?.finishedAt != nil)
    }

    @Test(arguments: ["signed out", "ended", "unproven"])
    func `the library stops waiting for the network if it lacks a valid token or a verified server time`(_ why: String)
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.grantedPlays = 3 }
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        switch why {
        case "signed out": try await library.keep([.note(.token(nil))])
        case "ended": try await library.signIn(token: "t-old")
        default:
            tablet.server.answer { request, real in
                request.url.contains("/time?") ? SimulatedServer.json { $0.member("time", "e30.e30.AAAA") } : real
            }
        }
        #expect(await library.waitsForNetwork)
        let watching = Task { await library.watchNetwork() }
        await library.until { $0.server.network.isStuck && $0.server.network.delay != nil }
        #expect(tablet.clock.slept.count == 1)
        #expect(await !library.waitsForNetwork)
        tablet.server.answer(nil)
        try await library.signIn(token: "t-mia")
        await library.until { $0.ledgerContents.licenses.values.allSatisfy { $0.unreported(at: Given.now).isEmpty } }
        watching.cancel()
        await watching.value
    }

    @Test func `the network watcher reports a playback's usage as soon as the playback ends`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.grantedPlays = 3 }
        let watching = Task { await library.watchNetwork() }
        await library.until { $0.server.network.delay != nil }
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        await library.until { !$0.waitsForNetwork && $0.runs.last?.finishedAt != nil }
        let content = Given.content(1)
        #expect(tablet.server.with { $0.license("mia", content)?.used.plays } == 1)
        watching.cancel()
        await watching.value
    }

    @Test func `the next background run is scheduled for the next due renewal, or for now if work is pending`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2) {
            $0.expiresAfterDays = 30
            $0.renewAheadDays = 3
        }
        let due = tablet.clock.truth.adding(days: 27)
        #expect(await library.nextRunAt.map(Timestamp.init) == due)
        tablet.clock.pass(28 * 86_400)
        #expect(await library.nextRunAt.map(Timestamp.init) == tablet.clock.truth)
        tablet.server.with { server in
            for number in 1...2 {
                guard let license = server.license("mia", Given.content(number)) else { continue }
                server.set(license.enrolment, .paused, at: Given.now)
            }
        }
        await library.runInBackground()
        #expect(await library.nextRunAt == nil)
        tablet.server.set(.noNetwork)
        _ = await library.return("mck-1")
        #expect(await library.nextRunAt.map(Timestamp.init) == tablet.clock.truth)
    }

    @Test func `after a new sign-in, a renewal run reports the usage that an expired token left unreported`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.grantedPlays = 3 }
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        try await library.signIn(token: "t-old")
        await library.networkMayBeBack()
        #expect(await library.isStuck)
        #expect(await !library.waitsForNetwork)
        try await library.keep([.note(.token(HolderToken("t-mia")))])
        await library.becameActive()
        #expect(await !library.isStuck)
        let content = Given.content(1)
        #expect(tablet.server.with { $0.license("mia", content)?.used.plays } == 1)
    }
}
