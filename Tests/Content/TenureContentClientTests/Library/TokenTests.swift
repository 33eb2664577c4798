import Foundation
import TenureClient
import TenureCore
import Testing

@testable import TenureContentClient

/// A device in use stays signed in, because the library replaces its token before the token expires.
@Suite struct TokenTests {
    private static let month: Int64 = 30 * 86_400

    /// Returns a device with one license that never expires, signed in for 30 days.
    private static func signedIn() async throws -> (Tablet, ContentLibrary) {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { _ in }
        try await library.signIn(token: "t-mia", expiresAt: Date(tablet.clock.truth.adding(seconds: month)))
        return (tablet, library)
    }

    @Test func `a daily user with nothing due gets a new token for offline content after half of the old one's life`()
        async throws
    {
        let (tablet, library) = try await Self.signedIn()
        tablet.server.give(token: "t-mia.2", with: "/usage")
        for _ in 0..<14 {
            tablet.clock.pass(86_400)
            await library.becameActive()
        }
        #expect(tablet.server.count("/usage") == 0)
        #expect(await library.token?.text == "t-mia")
        for _ in 0..<3 {
            tablet.clock.pass(86_400)
            await library.becameActive()
        }
        #expect(tablet.server.count("/usage") == 1, "one report, because the new token is still young")
        #expect(await library.token?.text == "t-mia.2")
        let again = try await tablet.open()
        #expect(await again.token?.text == "t-mia.2")
        for _ in 0..<14 {
            tablet.clock.pass(86_400)
            await again.becameActive()
        }
        #expect(tablet.server.count("/usage") == 2, "the next token lives as long as the first one")
    }

    @Test func `a token in the response to a usage report is stored`() async throws {
        let (tablet, library) = try await Self.signedIn()
        tablet.server.give(token: "t-mia.2", with: "/usage")
        let playback = try await library.playing(1)
        await playback.shown()
        await playback.end()
        #expect(await library.reportUse() == nil)
        #expect(await library.token?.text == "t-mia.2")
        #expect(try await tablet.open().token?.text == "t-mia.2")
    }

    @Test func `a content library's new token that can't be stored isn't used`() async throws {
        let (tablet, library) = try await Self.signedIn()
        tablet.server.give(token: "t-mia.2", with: "/usage")
        tablet.clock.pass(20 * 86_400)
        tablet.disks["mia"]?.stepsLeft = 0
        await library.becameActive()
        #expect(await library.token?.text == "t-mia")
        tablet.disks["mia"]?.stepsLeft = nil
        tablet.clock.pass(86_400)
        await library.becameActive()
        #expect(await library.token?.text == "t-mia.2")
    }

    @Test func `a content library ignores a token in a GET response`() async throws {
        let (tablet, library) = try await Self.signedIn()
        tablet.server.give(token: "t-mia.2", with: "/contents")
        tablet.clock.pass(86_400)
        #expect(await library.refresh() == .done)
        #expect(await library.token?.text == "t-mia")
    }

    @Test func `a content library asks for a new token at most once a day if the server returns none`() async throws {
        let (tablet, library) = try await Self.signedIn()
        tablet.clock.pass(20 * 86_400)
        tablet.server.set(.noNetwork)
        await library.becameActive()
        #expect(await library.waitsForNetwork)
        tablet.server.set(.clear)
        await library.networkMayBeBack()
        let requestCount = tablet.server.count("/usage")
        #expect(await !library.waitsForNetwork)
        await library.networkMayBeBack()
        tablet.clock.pass(3_600)
        await library.becameActive()
        #expect(tablet.server.count("/usage") == requestCount, "at most once a day")
        tablet.server.give(token: "t-mia.2", with: "/usage")
        tablet.clock.pass(86_400)
        await library.becameActive()
        #expect(await library.token?.text == "t-mia.2")
    }

    @Test
    func `a token past half its life is replaced by opening the app, a background run, a refresh, a renewal or a play`()
        async throws
    {
        let ways: [@Sendable (ContentLibrary) async throws -> Void] = [
            { await $0.becameActive() }, { await $0.runInBackground() }, { _ = await $0.refresh() },
            { _ = await $0.renewal(.due(within: 0)) }, { _ = await $0.renewal(.all) },
            { try await $0.playing(1).end() },
        ]
        for (index, way) in ways.enumerated() {
            let (tablet, library) = try await Self.signedIn()
            tablet.clock.pass(20 * 86_400)
            tablet.server.give(token: "t-mia.2", with: index == 4 ? "/renewals" : "/usage")
            try await way(library)
            await library.until { $0.token?.text == "t-mia.2" }
        }
    }

    @Test func `a content library requests a new token once a day if its token has no end date`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { _ in }
        await library.becameActive()
        #expect(tablet.server.count("/usage") == 0)
        for _ in 0..<8 {
            tablet.clock.pass(6 * 3_600)
            await library.becameActive()
        }
        #expect(tablet.server.count("/usage") == 2)
    }

    @Test func `without due renewals, the next background run is scheduled for the middle of the token's life`()
        async throws
    {
        let (tablet, library) = try await Self.signedIn()
        #expect(await library.nextRunAt == Date(tablet.clock.truth.adding(seconds: Self.month / 2)))
    }

    @Test func `a token stored by an earlier version of this client is read`() throws {
        let note = try LedgerNote(json: Array(#"{"token":{"_0":{"text":"t-mia"}}}"#.utf8))
        #expect(note == .token(HolderToken("t-mia")))
    }
}
