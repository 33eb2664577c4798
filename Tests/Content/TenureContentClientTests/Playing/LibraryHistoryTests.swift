import Foundation
import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// Random histories of a holder and a server.
///
/// The histories include crashes, restarts, clock changes, lost networks, paused enrolments and revoked licenses. No
/// limit may be exceeded, no use is charged twice, and the shown status follows the rules.
@Suite struct LibraryHistoryTests {
    static let seeds = Array(UInt64(1)...24)

    @Test(arguments: seeds)
    func `in random histories of the content library, no license's limit is exceeded and no use is charged twice`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let tablet = Tablet()
        var library = try await tablet.filled(1...3) {
            $0.grantedPlays = 4
            $0.grantedPlaySeconds = 300
            $0.expiresAfterDays = 5
            $0.resumeWithinSeconds = 30
            if seed.isMultiple(of: 2) { $0.onRenewal = .carry }
            if seed.isMultiple(of: 3) { $0.playTimeBasis = .wall }
        }
        var playing: ContentPlayback?
        var falls = 0
        for _ in 0..<60 {
            let number = Int.random(in: 1...3, using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1:
                await playing?.end()
                if case .plays(let playback) = await library.play("mck-\(number)") { playing = playback }
            case 2, 3, 4, 5:
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    tablet.clock.pass(millis: 1_000)
                    await playing?.rendered(seconds: [0.5, 1, 2].randomElement(using: &random) ?? 1)
                    await library.rest()
                }
            case 6: await playing?.pause()
            case 7: _ = await playing?.resume()
            case 8:
                // The app crashes.
                library = try await tablet.open()
                playing = nil
                falls += 1
            case 9: tablet.clock.pass(.random(in: 0...90_000, using: &random))
            case 10: tablet.clock.turnWall(by: .random(in: -9_000...9_000, using: &random))
            case 11:
                let weathers: [SimulatedServer.Weather] = [.clear, .clear, .noNetwork, .lostAnswers, .portal]
                tablet.server.set(weathers.randomElement(using: &random) ?? .clear)
            case 12: await library.renewed([.all, .due(within: 0), .expired].randomElement(using: &random) ?? .all)
            case 13:
                // The device is off for a while and may start with a different wall clock.
                tablet.clock.restart(after: .random(in: 1...9_000, using: &random))
                library = try await tablet.open()
                playing = nil
                falls += 1
            case 14:
                guard Int.random(in: 0..<6, using: &random) == 0 else { break }
                let now = tablet.clock.truth
                let stop = [ContentLicense.State.revoked, .expired].randomElement(using: &random) ?? .revoked
                tablet.server.with { server in
                    guard let license = server.license("mia", Given.content(number)) else { return }
                    server.stop(license.id, stop, at: now)
                }
            default:
                let now = tablet.clock.truth
                let isOpen = Bool.random(using: &random)
                tablet.server.with { server in
                    guard let license = server.license("mia", Given.content(number)) else { return }
                    server.set(license.enrolment, isOpen ? .open : .paused, at: now)
                }
            }
            // Time, network and enrolments don't change while a background renewal runs.
            await library.rest()
            try await check(library, tablet)
        }
        tablet.server.set(.clear)
        await playing?.end()
        // Revoked content stays playable until the device learns of it, and never afterwards.
        _ = await library.renewal(.all)
        for number in 1...3 {
            let license = tablet.server.with { $0.license("mia", Given.content(number)) }
            guard license?.state != .active else { continue }
            #expect(await library.play("mck-\(number)").refused != nil)
            #expect([.revoked, .expired].contains(await library.status(number)))
        }
        #expect(await library.reportUse() == nil)
        for number in 1...3 {
            let stored = try #require(await library.kept(number))
            let content = Given.content(number)
            let license = try #require(tablet.server.with { $0.license("mia", content) })
            guard license.version == stored.grant.version else { continue }
            #expect(
                license.used == stored.ledger.used, "server and device agree on the usage after \(falls) crashes")
        }
    }

    private func check(_ library: ContentLibrary, _ tablet: Tablet) async throws {
        for number in 1...3 {
            let stored = try #require(await library.kept(number))
            #expect(stored.ledger.used.plays <= stored.grant.terms.plays ?? .max)
            #expect(stored.ledger.used.playSeconds <= stored.grant.terms.playSeconds ?? .max)
            let shown = try #require(await library.content("mck-\(number)"))
            let evaluation = stored.grant.status(of: stored.ledger, at: await library.moment())
            #expect(shown.status.rawValue == evaluation.status.rawValue)
            #expect(shown.explanation?.codes ?? [] == evaluation.reasons.map(\.code.text))
            #expect(shown.playsLeft == evaluation.playsLeft)
        }
        let stored = await library.ledgerContents
        let again = try DurableLedger(
            MemoryDisk(tablet.disks["mia"]?.bytes), owner: stored.owner, binding: Given.binding)
        #expect(again.ledgerContents == stored)
    }
}
