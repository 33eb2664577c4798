import Foundation
import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// Licenses that are renewed only after the person has confirmed (`askBeforeRenew`).
@Suite struct AskBeforeRenewTests {
    /// Returns a library with three licenses that need confirmation and one that doesn't. All are due.
    private static func due() async throws -> (Tablet, ContentLibrary) {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3) {
            $0.expiresAfterDays = 30
            $0.renewAheadDays = 3
            $0.askBeforeRenew = true
        }
        tablet.server.with { _ = $0.enrol("mia", Given.content(4), at: Given.now) { $0.expiresAfterDays = 30 } }
        #expect(await library.add("mck-4") == .done)
        tablet.clock.pass(28 * 86_400)
        return (tablet, library)
    }

    private static func versions(_ library: ContentLibrary) async -> [Int64] {
        var versions: [Int64] = []
        for number in 1...4 { versions.append(await library.kept(number)?.grant.version ?? 0) }
        return versions
    }

    @Test func `a renewal of due licenses skips those that need confirmation`() async throws {
        let (_, library) = try await Self.due()
        let progress = await library.renewal(.due(within: 0)).progress
        #expect(await Self.versions(library) == [1, 1, 1, 2])
        #expect(progress.count { $0.outcome == .refused } == 3)
    }

    @Test func `a renewal with each kind of scope skips licenses that need confirmation`() async throws {
        let scopes: [RenewalScope] = [
            .all, .due(within: 86_400), .neededThrough(Date(Given.now.adding(days: 40))), .items(["mck-1", "mck-4"]),
        ]
        for scope in scopes {
            let (_, library) = try await Self.due()
            _ = await library.renewal(scope)
            #expect(await Self.versions(library) == [1, 1, 1, 2], "\(scope)")
        }
    }

    @Test func `network recovery and background runs skip licenses that need confirmation`() async throws {
        let (tablet, library) = try await Self.due()
        tablet.server.set(.noNetwork)
        #expect(await library.renewal(.items(["mck-4"])).progress.map(\.outcome) == [.transient])
        tablet.server.set(.clear)
        await library.networkMayBeBack()
        #expect(await Self.versions(library) == [1, 1, 1, 2])
        await library.runInBackground()
        #expect(await Self.versions(library) == [1, 1, 1, 2])
        // No background run is due, because only the person can confirm the renewals.
        #expect(await library.nextRunAt != Date(tablet.clock.truth))
    }

    @Test func `while an item plays, a renewal that needs confirmation isn't made automatically`() async throws {
        let (_, library) = try await Self.due()
        let playback = try await library.playing(1)
        await playback.shown()
        await library.rest()
        #expect(await Self.versions(library) == [1, 1, 1, 1])
        await playback.end()
    }

    @Test func `with the clock set back, a request to play expired content still asks to confirm the renewal`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) {
            $0.expiresAfterDays = 30
            $0.askBeforeRenew = true
        }
        tablet.clock.pass(10 * 86_400)
        _ = await library.checkIn(anyway: true)
        tablet.clock.restart(after: 25 * 86_400)
        tablet.clock.turnWall(by: -30 * 86_400)
        let again = try await tablet.open()
        try #require(await again.status(1) == .clockSetBack)
        guard case .asks(let why) = await again.play("mck-1") else {
            Issue.record("it didn't ask for confirmation")
            return
        }
        #expect(why.codes == ["grant_expired"])
        #expect(await again.kept(1)?.grant.version == 1)
    }

    @Test
    func `one prompt covers all due licenses that need confirmation, and confirmed licenses are renewed`() async throws
    {
        let (_, library) = try await Self.due()
        let person = Person(agrees: true)
        await library.askBeforeRenewing(person.prompt)
        #expect(await library.forecast(.due(within: 0)).unconfirmed == ["mck-1", "mck-2", "mck-3"])
        let report = await library.renewed(.due(within: 0))
        #expect(person.prompts.map(Set.init) == [["mck-1", "mck-2", "mck-3"]])
        #expect(report.count(.renewed) == 4 && report.unconfirmed.isEmpty)
        #expect(await Self.versions(library) == [2, 2, 2, 2])
        // Nothing is due any more, so there is no further prompt.
        _ = await library.renewed(.due(within: 0))
        #expect(person.prompts.count == 1)
    }

    @Test func `content licenses whose renewal the person declined aren't renewed until the app confirms it`()
        async throws
    {
        let (tablet, library) = try await Self.due()
        let person = Person(agrees: false)
        await library.askBeforeRenewing(person.prompt)
        let report = await library.renewed(.all)
        #expect(Set(report.unconfirmed) == ["mck-1", "mck-2", "mck-3"])
        let left = report.items.filter { $0.content != "mck-4" }
        #expect(left.allSatisfy { $0.explanation?.codes == ["renewal_unconfirmed"] && $0.outcome == .refused })
        #expect(await library.content("mck-1")?.lastNo == nil, "the server didn't refuse it")
        #expect(await library.awaitingConfirmation.map(\.id) == ["mck-1", "mck-2", "mck-3"])
        // Automatic renewals don't prompt again for the same versions.
        await library.becameActive()
        tablet.clock.pass(3_600)
        await library.becameActive()
        #expect(person.prompts.count == 1)
        let confirmed = await library.renewed(.items(report.unconfirmed), confirmed: true)
        #expect(confirmed.count(.renewed) == 3 && person.prompts.count == 1)
        #expect(await library.awaitingConfirmation.isEmpty)
    }

    @Test func `the renewals that a background run skipped are offered for confirmation when the app becomes active`()
        async throws
    {
        let (_, library) = try await Self.due()
        let person = Person(agrees: true)
        await library.askBeforeRenewing(person.prompt)
        await library.runInBackground()
        #expect(person.prompts.isEmpty)
        #expect(await Self.versions(library) == [1, 1, 1, 2])
        #expect(await library.awaitingConfirmation.count == 3)
        await library.becameActive()
        #expect(person.prompts.map(\.count) == [3])
        #expect(await Self.versions(library) == [2, 2, 2, 2])
    }

    @Test func `an app that becomes active after a background run prompts without waiting fifteen minutes`()
        async throws
    {
        let (_, library) = try await Self.due()
        await library.becameActive()
        await library.runInBackground()
        let person = Person(agrees: true)
        await library.askBeforeRenewing(person.prompt)
        await library.becameActive()
        #expect(person.prompts.map(\.count) == [3])
    }

    @Test func `after network recovery, one prompt covers the due licenses except those confirmed offline`()
        async throws
    {
        let (tablet, library) = try await Self.due()
        let person = Person(agrees: true)
        tablet.clock.pass(3 * 86_400)
        tablet.server.set(.noNetwork)
        #expect(await library.play("mck-1", confirmed: true).refused?.1 == .retry)
        #expect(await library.ledgerContents.requestedContent == "mck-1")
        await library.askBeforeRenewing(person.prompt)
        tablet.server.set(.clear)
        await library.networkMayBeBack()
        #expect(person.prompts.map(Set.init) == [["mck-2", "mck-3"]])
        #expect(await Self.versions(library) == [2, 2, 2, 2])
    }

    @Test func `two concurrent renewals show one prompt`() async throws {
        let (_, library) = try await Self.due()
        let person = Person(agrees: true, waits: true)
        await library.askBeforeRenewing(person.prompt)
        let one = Task { await library.renewed(.due(within: 0)) }
        await library.until { _ in person.prompts.count == 1 }
        let other = Task { await library.renewed(.items(["mck-2"])) }
        await library.until { $0.consent.openQuestion?.listeners == 2 }
        person.answer()
        #expect(await one.value.unconfirmed.isEmpty)
        #expect(await other.value.unconfirmed.isEmpty)
        #expect(person.prompts.count == 1)
    }

    @Test func `a play that the person has confirmed renews the license`() async throws {
        let (_, library) = try await Self.due()
        guard case .plays(let playback) = await library.play("mck-1", confirmed: true) else {
            Issue.record("it doesn't play")
            return
        }
        await library.rest()
        await playback.end()
        #expect(await Self.versions(library) == [2, 1, 1, 1])
    }

    @Test
    func `Kollus's storage interface renews licenses that need confirmation only once confirmed`()
        async throws
    {
        let (tablet, library) = try await Self.due()
        tablet.server.set(.noNetwork)
        let report = await library.renewed(.items(["mck-1", "mck-2"]))
        #expect(report.unconfirmed == ["mck-1", "mck-2"])
        tablet.server.set(.clear)
        let storage = ContentStorage(library)
        storage.updateDownloadDRMInfo(false)
        await storage.finishUpdates()
        #expect(await Self.versions(library) == [1, 1, 1, 2])
        #expect(storage.contents.filter(\.DRMExpireRefreshPopup).count == 3)
        storage.updateDownloadDRMInfo(false, confirmed: true)
        await storage.finishUpdates()
        #expect(await Self.versions(library) == [2, 2, 2, 2])
    }
}

/// A person who is asked for confirmation, and answers immediately or when the test allows it.
private final class Person: @unchecked Sendable {
    // Sendable because `lock` guards `questions`.
    private let lock = NSLock()
    private var questions: [[String]] = []
    private let agrees: Bool
    private let (opens, opener) = AsyncStream<Void>.makeStream()

    init(agrees: Bool, waits: Bool = false) {
        self.agrees = agrees
        if !waits { opener.finish() }
    }

    /// The ids of the content in each question, in order.
    var prompts: [[String]] { lock.withLock { questions } }

    func answer() { opener.finish() }

    var prompt: RenewalQuestion {
        { contents in
            self.lock.withLock { self.questions.append(contents.map(\.id)) }
            for await _ in self.opens {}
            return self.agrees
        }
    }
}
