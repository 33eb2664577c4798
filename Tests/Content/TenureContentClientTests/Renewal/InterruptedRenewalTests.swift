import TenureClient
import TenureContent
import TenureCore
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureContentClient

/// A renewal that a crash interrupted after its first chunk.
@Suite struct InterruptedRenewalTests {
    /// - Parameter paused: The items that the server refuses during the interrupted renewal.
    private static func fallen(paused: [Int] = []) async throws -> (Tablet, ContentLibrary) {
        let tablet = Tablet()
        let library = try await tablet.filled(1...120)
        let set = { (state: Enrolment.State) in
            tablet.server.with { server in
                for number in paused {
                    guard let license = server.license("mia", Given.content(number)) else { continue }
                    server.set(license.enrolment, state, at: Given.now)
                }
            }
        }
        set(.paused)
        defer { set(.open) }
        let disk = try #require(tablet.disks["mia"])
        let fallen = CrashedDisk()
        tablet.server.watch { request in
            if request.url.hasSuffix("/renewals"), fallen.count() == 2 { fallen.keep(disk.bytes) }
        }
        _ = await library.renewal(.all)
        tablet.server.watch(nil)
        tablet.server.with { $0.requestedItems = [] }
        return (tablet, try await tablet.open(on: fallen.bytes))
    }

    @Test func `an item reported by an interrupted renewal can be renewed again without losing the remaining items`()
        async throws
    {
        let (tablet, library) = try await Self.fallen()
        let job = try #require(await library.ledgerContents.job)
        let done = try #require(job.results.first?.content)
        let progress = await library.renewal(.items([done])).progress
        #expect(progress.map(\.content) == [done])
        #expect(tablet.server.with { $0.requestedItems } == [[done]])
        #expect(await library.ledgerContents.job == job)
        await library.becameActive()
        #expect(tablet.server.with { $0.requestedItems.dropFirst().first.map(Set.init) } == Set(job.left))
        #expect(await library.ledgerContents.job == nil)
    }

    @Test func `requesting one item of an interrupted renewal resumes all of its remaining items`() async throws {
        let (tablet, library) = try await Self.fallen()
        let left = try #require(await library.ledgerContents.job).left
        let last = try #require(left.last)
        #expect(await library.renewal(.items([last])).progress.map(\.content) == Array(left))
        #expect(tablet.server.with { $0.requestedItems.count } == 1)
    }

    @MainActor
    @Test func `renewing all items after an interruption requests only failed and remaining ones, but reports all`()
        async throws
    {
        let (tablet, library) = try await Self.fallen(paused: [1, 2, 3])
        let job = try #require(await library.ledgerContents.job)
        let failed = job.results.filter { $0.outcome != "renewed" }.map(\.content)
        #expect(!failed.isEmpty && job.results.count == 100)
        let app = RecordedCallbacks()
        let storage = ContentStorage(library)
        storage.delegate = app
        storage.updateDownloadDRMInfo(true)
        await storage.finishUpdates()
        let names = storage.contents().map(\.mediaContentKey)
        #expect(Set(tablet.server.with { $0.requestedItems.flatMap(\.self) }) == Set(failed + job.left))
        #expect(app.contents == names && app.counted == Array(1...120))
        #expect(app.failures == 0)
        #expect(await library.ledgerContents.job == nil)
        // No renewal was interrupted any more, so all items are renewed again.
        tablet.server.with { $0.requestedItems = [] }
        storage.updateDownloadDRMInfo(true)
        await storage.finishUpdates()
        #expect(Set(tablet.server.with { $0.requestedItems.flatMap(\.self) }) == Set(names))
    }

    @Test
    func `a resumed renewal requests an item again if its license was found revoked since its first result`()
        async throws
    {
        let (tablet, library) = try await Self.fallen()
        let job = try #require(await library.ledgerContents.job)
        let done = try #require(job.results.first?.content)
        let number = try #require(Int(done.dropFirst(4)))
        tablet.server.with { server in
            guard let license = server.license("mia", Given.content(number)) else { return }
            server.stop(license.id, .revoked, at: Given.now)
        }
        _ = await library.renewal(.items([done]))
        tablet.server.with { $0.requestedItems = [] }
        let progress = await library.renewal(.all).progress
        #expect(progress.map(\.index) == Array(0..<120))
        #expect(Set(tablet.server.with { $0.requestedItems.flatMap(\.self) }) == Set(job.left + [done]))
        #expect(progress.filter { $0.outcome == .terminal }.map(\.content) == [done])
    }

    @Test func `an interrupted renewal is discarded after a day instead of being resumed`() async throws {
        let (tablet, library) = try await Self.fallen()
        tablet.clock.pass(86_400)
        #expect(await library.waitsForNetwork)
        await library.becameActive()
        #expect(await library.ledgerContents.job == nil)
        #expect(await !library.waitsForNetwork)
        #expect(tablet.server.with { $0.requestedItems.isEmpty })
    }
}

/// The calls that a storage's delegate received.
@MainActor private final class RecordedCallbacks: ContentStorageDelegate {
    var contents: [String] = []
    var counted: [Int32] = []
    var failures = 0

    func kollusStorage(
        _ storage: ContentStorage, request: [AnyHashable: Any], json: [AnyHashable: Any]?, error: (any Error)?
    ) {
        contents.append(request["media_content_key"] as? String ?? "")
        if json?["result"] as? Int != 1 || error != nil { failures += 1 }
    }

    func kollusStorage(_ storage: ContentStorage, cur: Int32, count: Int32, error: (any Error)?) {
        counted.append(cur)
    }
}
