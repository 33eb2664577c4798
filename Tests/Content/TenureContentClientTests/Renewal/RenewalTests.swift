import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureContentClient

@Suite struct RenewalTests {
    @Test func `a chunk of a renewal that can't be stored leaves the old licenses, and the next renewal gets new ones`()
        async throws
    {
        for steps in 0..<8 {
            let tablet = Tablet()
            let library = try await tablet.filled(1...5)
            let disk = try #require(tablet.disks["mia"])
            disk.stepsLeft = steps
            let (progress, report) = await library.renewal(.all)
            disk.stepsLeft = nil
            #expect(progress.map(\.index) == Array(0..<5))
            #expect(report?.items == progress)
            let again = try await tablet.open(on: disk.bytes)
            for number in 1...5 {
                let stored = try #require(await again.kept(number))
                let here = await library.kept(number)
                #expect(stored == here)
                let outcome = progress.first { $0.content == Given.content(number).text }?.outcome
                #expect(outcome == (stored.grant.version == 2 ? .renewed : .transient))
                #expect(await again.status(number) == .valid)
            }
            let next = await again.renewal(.all).progress
            #expect(next.allSatisfy { $0.outcome == .renewed })
            for number in 1...5 {
                let content = Given.content(number)
                let served = tablet.server.with { $0.license("mia", content)?.present }
                #expect(await again.kept(number)?.grant == served)
            }
        }
    }

    @Test func `a renewal of some items joins a running one of all items, and each listener receives each result once`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...150)
        let opener = tablet.server.hold()
        let one = Task { await library.renewal(.all) }
        await library.until { _ in tablet.server.isHolding }
        let other = Task { await library.renewal(.items(["mck-3", "mck-4"])) }
        await library.until { $0.renewals.running?.audience == 2 }
        opener.finish()
        let all = await one.value
        #expect(all.progress.count == 150 && Set(all.progress.map(\.content)).count == 150)
        #expect(await other.value.progress == all.progress)
        #expect(await other.value.report == all.report)
        #expect(tablet.server.with { $0.requestedItems.map(\.count) } == [100, 50])
    }

    @Test(arguments: [SimulatedServer.Weather.noNetwork, .portal, .redirect, .staleTime])
    func `without a usable network, no renewal reaches the server, and each item fails temporarily`(
        _ weather: SimulatedServer.Weather
    ) async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3)
        tablet.clock.pass(3_600)
        tablet.server.set(weather)
        if weather == .staleTime { _ = await library.renewal(.all) }
        let progress = await library.renewal(.all).progress
        #expect(progress.map(\.outcome) == [.transient, .transient, .transient])
        #expect(progress.allSatisfy { $0.explanation?.codes == ["content_unreached"] && $0.recovery == .retry })
        #expect(tablet.server.with { $0.requestedItems.isEmpty })
        #expect(await library.status(1) == .valid)
        tablet.server.set(.clear)
        #expect(await library.renewal(.all).progress.map(\.outcome) == [.renewed, .renewed, .renewed])
    }

    @Test func `a renewal at a busy server is tried three times, with pauses`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3)
        #expect(await library.renewal(.all).progress.allSatisfy { $0.outcome == .renewed })
        tablet.server.set(.overloaded)
        let progress = await library.renewal(.all).progress
        #expect(progress.map(\.outcome) == [.transient, .transient, .transient])
        #expect(tablet.clock.slept == [.seconds(4), .seconds(8)])
    }

    @Test func `a chunk of a renewal that a busy server refuses doesn't stop the next chunk`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...101)
        #expect(await library.renewed(.items(["mck-1"])).count(.renewed) == 1)
        let requests = CrashedDisk()
        tablet.server.answer { request, real in
            request.url.hasSuffix("/renewals") && requests.count() <= 3 ? Response(status: 503) : real
        }
        let report = await library.renewed(.all)
        #expect(report.count(.transient) == 100 && report.count(.renewed) == 1)
    }

    @Test func `a renewal repeated after a lost response creates no further version`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3)
        _ = await library.renewal(.all)
        tablet.server.set(.lostAnswers)
        #expect(await library.renewal(.all).progress.allSatisfy { $0.outcome == .transient })
        tablet.server.set(.clear)
        #expect(await library.renewal(.all).progress.allSatisfy { $0.outcome == .renewed })
        #expect(await library.kept(2)?.grant.version == 3)
    }

    @Test func `a renewal with an expired token asks the person to sign in, and licenses stay valid`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2)
        try await library.signIn(token: "t-old")
        let progress = await library.renewal(.all).progress
        #expect(progress.allSatisfy { $0.recovery == .signIn && $0.explanation?.codes == ["token_expired"] })
        #expect(await library.status(1) == .valid)
    }

    @Test func `a license that the server lost is requested again, and the device stores the new grant`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.grantedPlays = 3 }
        tablet.server.with { $0.licenses = [:] }
        let progress = await library.renewal(.all).progress
        #expect(progress.map(\.outcome) == [.renewed])
        let content = Given.content(1)
        #expect(await library.kept(1)?.grant == tablet.server.with { $0.license("mia", content)?.present })
    }

    @Test func `after the server is restored from a backup, a renewal continues from the device's version`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2)
        let backup = tablet.server.with { $0 }
        _ = await library.renewal(.all)
        tablet.server.with { $0.licenses = backup.licenses }
        let progress = await library.renewal(.all).progress
        #expect(progress.map(\.outcome) == [.renewed, .renewed])
        #expect(await library.kept(1)?.grant.version == 3)
    }

    @Test func `after a ledger is restored from a backup, a renewal reduces the plays left to the server's count`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 3
            $0.onRenewal = .carry
            $0.resumeWithinSeconds = 0
        }
        let before = tablet.disks["mia"]?.bytes
        for _ in 0..<2 {
            let playback = try await library.playing(1)
            await playback.shown()
            await playback.end()
            tablet.clock.pass(60)
        }
        _ = await library.renewal(.all)
        #expect(await library.content("mck-1")?.playsLeft == 1)
        let back = try await tablet.open(on: before)
        #expect(await back.content("mck-1")?.playsLeft == 3)
        _ = await back.renewal(.all)
        #expect(await back.content("mck-1")?.playsLeft == 1)
        #expect(await back.problem?.codes == ["ledger_put_back"])
    }

    @Test func `after a ledger was lost, the new license includes the use that the server has counted`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.grantedPlays = 3 }
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        #expect(await library.reportUse() == nil)
        let empty = try await tablet.open(on: [])
        #expect(await empty.content("mck-1") == nil)
        #expect(await empty.add("mck-1") == .done)
        #expect(await empty.content("mck-1")?.playsLeft == 2)
    }

    @Test func `a reinstalled app continues from its reported use, and its ledger isn't taken for an earlier copy`()
        async throws
    {
        let tablet = Tablet()
        func play(on library: ContentLibrary) async throws {
            let playback = try await library.playing(1)
            await playback.shown()
            await playback.end()
            tablet.clock.pass(60)
        }
        let library = try await tablet.filled(1...2) {
            $0.grantedPlays = 4
            $0.onRenewal = .carry
            $0.resumeWithinSeconds = 0
        }
        try await play(on: library)
        _ = await library.renewal(.all)
        try await play(on: library)
        #expect(await library.reportUse() == nil)

        let reinstalled = try await tablet.open(on: [])
        #expect(await reinstalled.add("mck-1") == .done)
        #expect(await reinstalled.add("mck-2") == .done)
        #expect(await reinstalled.content("mck-1")?.playsLeft == 2)
        try await play(on: reinstalled)
        #expect(await reinstalled.reportUse() == nil)
        #expect(await reinstalled.renewal(.all).progress.map(\.outcome) == [.renewed, .renewed])
        try await play(on: reinstalled)
        #expect(await reinstalled.reportUse() == nil)
        #expect(await reinstalled.content("mck-1")?.playsLeft == 0)
        #expect(await reinstalled.problem == nil)
    }

    @Test func `a forecast without a network lists due and refused items`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3)
        tablet.server.with { server in
            guard let license = server.license("mia", Given.content(2)) else { return }
            server.set(license.enrolment, .paused, at: Given.now)
        }
        _ = await library.renewal(.items(["mck-2"]))
        tablet.clock.pass(28 * 86_400)
        tablet.server.set(.noNetwork)
        let forecast = await library.forecast(.due(within: 0))
        #expect(Set(forecast.requested) == ["mck-1", "mck-2", "mck-3"])
        #expect(Set(forecast.due) == Set(forecast.requested))
        #expect(forecast.refused.map(\.content) == ["mck-2"])
        #expect(forecast.refused.first?.explanation.codes == ["enrolment_paused"])
    }

    @Test func `during a flight without a network, the licenses that expire are those that the app predicted`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...20) { $0.expiresAfterDays = 1 }
        for number in 1...20 {
            // Each license expires an hour after the previous one.
            tablet.clock.pass(3_600)
            _ = await library.renewal(.items([Given.content(number).text]))
        }
        let landing = Date(timeIntervalSince1970: Double(tablet.clock.truth.seconds + 14 * 3_600))
        let said = Set(await library.lapses(before: landing).map(\.content))
        #expect(!said.isEmpty && said.count < 20)
        tablet.server.set(.noNetwork)
        tablet.clock.pass(5 * 3_600)
        // Nine time zones, the clock set by hand in both directions, and a restart.
        tablet.clock.turnWall(by: 9 * 3_600)
        tablet.clock.pass(5 * 3_600)
        tablet.clock.turnWall(by: -9 * 3_600)
        tablet.clock.restart(after: 0)
        let again = try await tablet.open()
        tablet.clock.pass(4 * 3_600 - 1)
        let stopped = await again.contents().filter { !$0.status.isPlayable }.map(\.id)
        #expect(Set(stopped) == said)
        tablet.server.set(.clear)
        _ = await again.renewal(.neededThrough(landing))
        #expect(await again.contents().allSatisfy(\.status.isPlayable))
    }
}
