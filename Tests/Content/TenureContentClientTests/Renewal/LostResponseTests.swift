import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// A renewal whose response was lost, at a server that repeats a grant even if it has expired meanwhile.
@Suite struct LostResponseTests {
    /// Returns a device with version 1 of each license, while the server has version 2, which has expired.
    private static func behind(_ numbers: ClosedRange<Int>) async throws -> (Tablet, ContentLibrary) {
        let tablet = Tablet()
        let library = try await tablet.filled(numbers) { $0.expiresAfterDays = 3 }
        tablet.server.with { $0.repeatsEndedGrants = true }
        // The time was signed just now, so the renewal itself is the first request to be lost.
        await library.becameActive()
        _ = await library.checkIn(anyway: true)
        tablet.server.set(.lostAnswers)
        _ = await library.renewal(.all)
        tablet.server.set(.clear)
        for number in numbers {
            let served = tablet.server.with { $0.license("mia", Given.content(number))?.version }
            try #require(served == 2)
            try #require(await library.kept(number)?.grant.version == 1)
        }
        tablet.clock.pass(10 * 86_400)
        return (tablet, library)
    }

    @Test func `playback starts although the response with the license's current version was lost`() async throws {
        let (tablet, library) = try await Self.behind(1...1)
        _ = try await library.playing(1)
        #expect(await library.kept(1)?.grant.version == 3)
        #expect(tablet.server.with { $0.license("mia", Given.content(1))?.version } == 3)
    }

    @Test
    func `after lost responses, a renewal renews all expired licenses with one additional request`() async throws {
        let (tablet, library) = try await Self.behind(1...3)
        let before = tablet.server.with { $0.requestedItems.count }
        let progress = await library.renewal(.due(within: 0)).progress
        #expect(progress.map(\.outcome) == [.renewed, .renewed, .renewed])
        #expect(await library.contents().allSatisfy { $0.status == .valid })
        #expect(tablet.server.with { $0.requestedItems.count } - before == 2, "one more request for all expired ones")
    }

    @Test
    func `after a lost response, an item's outcome is the server's response to the repeated request`() async throws {
        let (tablet, library) = try await Self.behind(1...1)
        tablet.server.with { server in
            guard let license = server.license("mia", Given.content(1)) else { return }
            server.set(license.enrolment, .paused, at: Given.now)
        }
        #expect(await library.renewal(.due(within: 0)).progress.map(\.outcome) == [.refused])
        #expect(await library.content("mck-1")?.lastNo?.codes == ["enrolment_paused"])
    }
}
