import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// The server's count of use in its response to a usage report.
@Suite struct UsageReportTests {
    private static func play(_ library: ContentLibrary, _ tablet: Tablet) async throws {
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        tablet.clock.pass(60)
    }

    @Test(arguments: [ContentTerms.Ledger.reset, .carry])
    func `the response to a usage report adds the server's count of use to a restored ledger`(
        _ onRenewal: ContentTerms.Ledger
    )
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 4
            $0.onRenewal = onRenewal
            $0.resumeWithinSeconds = 0
        }
        let before = tablet.disks["mia"]?.bytes
        for _ in 0..<2 { try await Self.play(library, tablet) }
        #expect(await library.reportUse() == nil)
        let back = try await tablet.open(on: before)
        try await Self.play(back, tablet)
        #expect(await back.content("mck-1")?.playsLeft == 3)
        #expect(await back.reportUse() == nil)
        #expect(await back.content("mck-1")?.playsLeft == 1)
        #expect(await back.problem?.codes == ["ledger_put_back"])
        // Repeating the report charges nothing more.
        #expect(await back.reportUse() == nil)
        #expect(await back.content("mck-1")?.playsLeft == 1)
    }

    @Test
    func `use that the server counted for a license's newer version isn't charged to the device's older one`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 3
            $0.resumeWithinSeconds = 0
        }
        try await Self.play(library, tablet)
        // A copy of the device renews and plays, while this device still has version 1.
        let copy = try await tablet.open(on: tablet.disks["mia"]?.bytes)
        _ = await copy.renewal(.all)
        for _ in 0..<3 { try await Self.play(copy, tablet) }
        #expect(await copy.reportUse() == nil)
        try await library.signIn(token: "t-mia")
        try await Self.play(library, tablet)
        #expect(await library.reportUse() == nil)
        #expect(await library.content("mck-1")?.playsLeft == 1)
    }

    @Test func `a lower count on the server doesn't reduce the use in the ledger`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.grantedPlays = 3
            $0.resumeWithinSeconds = 0
        }
        try await Self.play(library, tablet)
        let earlier = tablet.server.with { $0 }
        try await Self.play(library, tablet)
        #expect(await library.reportUse() == nil)
        tablet.server.with { $0 = earlier }
        try await Self.play(library, tablet)
        #expect(await library.reportUse() == nil)
        #expect(await library.content("mck-1")?.playsLeft == 0)
    }
}
