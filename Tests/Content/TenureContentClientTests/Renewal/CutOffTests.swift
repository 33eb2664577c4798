import TenureClient
import TenureCore
import TenureHTTPClient
import Testing

@testable import TenureContentClient

/// A renewal that a crash interrupted after its first chunk.
@Suite struct CutOffTests {
    private static func fallen() async throws -> (Tablet, ContentLibrary) {
        let tablet = Tablet()
        let library = try await tablet.filled(1...120)
        let disk = try #require(tablet.disks["mia"])
        let fallen = Fallen()
        tablet.server.watch { request in
            if request.url.hasSuffix("/renewals"), fallen.count() == 2 { fallen.keep(disk.bytes) }
        }
        _ = await library.told(.all)
        tablet.server.watch(nil)
        tablet.server.with { $0.asked = [] }
        return (tablet, try await tablet.open(on: fallen.bytes))
    }

    @Test func `what it was told of is asked about when that is wanted, and what is left is not forgotten`()
        async throws
    {
        let (tablet, library) = try await Self.fallen()
        let job = try #require(await library.ledgerContents.job)
        let done = try #require(job.results.first?.content)
        let told = await library.told(.items([done])).progress
        #expect(told.map(\.content) == [done])
        #expect(tablet.server.with { $0.asked } == [[done]])
        #expect(await library.ledgerContents.job == job)
        await library.becameActive()
        #expect(tablet.server.with { $0.asked.dropFirst().first.map(Set.init) } == Set(job.left))
        #expect(await library.ledgerContents.job == nil)
    }

    @Test func `one of those that are left goes on with all of them`() async throws {
        let (tablet, library) = try await Self.fallen()
        let left = try #require(await library.ledgerContents.job).left
        let last = try #require(left.last)
        #expect(await library.told(.items([last])).progress.map(\.content) == Array(left))
        #expect(tablet.server.with { $0.asked.count } == 1)
    }

    @Test func `one that is older than a day is forgotten, and nothing waits for it`() async throws {
        let (tablet, library) = try await Self.fallen()
        tablet.clock.pass(86_400)
        #expect(await library.waitsForNetwork)
        await library.becameActive()
        #expect(await library.ledgerContents.job == nil)
        #expect(await !library.waitsForNetwork)
        #expect(tablet.server.with { $0.asked.isEmpty })
    }
}
