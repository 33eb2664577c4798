import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureContentClient

/// How the responses to a chunk are applied if the library changed while the request was in flight.
@Suite struct RenewalResponseTests {
    /// Returns a hook that changes the items of a response to a renewal request.
    private static func renewals(
        _ change: @escaping @Sendable ([[String: Any]]) -> [[String: Any]]
    ) -> @Sendable (OutgoingRequest, Response) -> Response {
        { request, real in
            guard request.url.hasSuffix("/renewals"),
                var body = try? JSONSerialization.jsonObject(with: Data(real.body.bytes)) as? [String: Any],
                let items = body["items"] as? [[String: Any]]
            else { return real }
            body["items"] = change(items)
            let data = (try? JSONSerialization.data(withJSONObject: body)) ?? Data()
            return Response(status: real.status, body: [UInt8](data))
        }
    }

    @Test func `the items of a renewal's response are matched by license, whatever their order`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...4)
        tablet.server.with { server in
            guard let license = server.license("mia", Given.content(1)) else { return }
            server.set(license.enrolment, .paused, at: Given.now)
        }
        tablet.server.answer(Self.renewals { $0.reversed() })
        let progress = await library.renewal(.items(["mck-1", "mck-2", "mck-3", "mck-4"])).progress
        #expect(progress.map(\.outcome) == [.refused, .renewed, .renewed, .renewed])
    }

    @Test func `a response item that names another license or content is ignored`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3)
        tablet.server.answer(
            Self.renewals { items in
                var items = items
                items[0]["license"] = Given.license(9).description
                items[1]["content"] = "mck-3"
                return items
            })
        let progress = await library.renewal(.items(["mck-1", "mck-2", "mck-3"])).progress
        #expect(progress.map(\.outcome) == [.transient, .transient, .renewed])
        #expect(await library.kept(1)?.grant.version == 1)
        // Waiting for the network solves neither problem.
        #expect(await !library.waitsForNetwork)
    }

    @Test func `a license returned during a renewal doesn't change the results of the renewal's other items`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3)
        let opener = tablet.server.hold()
        let renewal = Task { await library.renewal(.items(["mck-1", "mck-2", "mck-3"])).progress }
        await library.until { _ in tablet.server.isHolding }
        #expect(await library.return("mck-1") == .done)
        opener.finish()
        let progress = await renewal.value
        #expect(progress.map(\.outcome) == [.invalid, .renewed, .renewed])
        #expect(progress.first?.explanation?.codes == ["content_not_kept"])
    }

    @Test func `a late response doesn't replace a content item's newer license`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2)
        let opener = tablet.server.hold()
        let renewal = Task { await library.renewal(.items(["mck-1", "mck-2"])).progress }
        await library.until { _ in tablet.server.isHolding }
        #expect(await library.return("mck-1") == .done)
        #expect(await library.add("mck-1") == .done)
        let grant = await library.kept(1)?.grant
        opener.finish()
        #expect(await renewal.value.map(\.outcome) == [.unchanged, .renewed])
        #expect(await library.kept(1)?.grant == grant)
    }

    @Test func `a running play is still counted after another item's license is issued again`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2) {
            $0.grantedPlays = 3
            $0.onRenewal = .carry
        }
        tablet.server.with { server in
            guard let license = server.license("mia", Given.content(1)) else { return }
            server.licenses[license.id] = nil
        }
        let opener = tablet.server.hold("/licenses")
        let renewal = Task { await library.renewal(.items(["mck-2", "mck-1"])).progress }
        await library.until { _ in tablet.server.isHolding }
        let playback = try await library.playing(2)
        #expect(await PlaybackTests.play(playback, tablet, seconds: 12) == 12)
        opener.finish()
        #expect(await renewal.value.map(\.outcome) == [.renewed, .renewed])
        #expect(await playback.rendered(seconds: 1) == .goesOn)
        await playback.end()
        #expect(await library.content("mck-2")?.playsLeft == 2)
        #expect(await library.kept(2)?.ledger.used == ContentUse(plays: 1, playSeconds: 13))
    }

    @Test func `a playback that ends because the server lost its license sends one event`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1)
        let playback = try await library.playing(1)
        await playback.shown()
        tablet.server.with { $0.licenses = [:] }
        _ = await library.renewal(.all)
        try #require(await !library.isPlaying)
        var events: [PlayEvent] = []
        for await event in playback.events { events.append(event) }
        #expect(events.count == 1)
    }

    @Test func `a late token doesn't replace the token of a newer sign-in`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1)
        tablet.server.give(token: "t-late", with: "/renewals")
        let opener = tablet.server.hold()
        let renewal = Task { await library.renewal(.all) }
        await library.until { _ in tablet.server.isHolding }
        let end = Date(timeIntervalSince1970: 1_900_000_000)
        try await library.signIn(token: "t-mia", expiresAt: end)
        opener.finish()
        _ = await renewal.value
        #expect(await library.token?.text == "t-mia")
        #expect(await library.token?.expiresAt == Moment(Timestamp(end)))
        _ = await library.renewal(.all)
        #expect(await library.token?.text == "t-late")
    }

    @Test func `signing keys are fetched once per renewal, however many grants don't verify`() async throws {
        let tablet = Tablet()
        _ = try await tablet.filled(1...20)
        let library = try await tablet.open(trust: .served)
        tablet.server.answer(
            Self.renewals { items in
                items.map { item in
                    var item = item
                    if let grant = item["grant"] as? String { item["grant"] = String(grant.dropLast(8)) + "AAAAAAAA" }
                    return item
                }
            })
        #expect(await library.renewal(.all).progress.allSatisfy { $0.outcome == .transient })
        #expect(tablet.server.count("/keys") == 1)
        #expect(await !library.waitsForNetwork)
        _ = await library.renewal(.all)
        #expect(tablet.server.count("/keys") == 2)
    }
}
