import TenureClient
import TenureContent
import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureContentClient

/// The return of a license stays pending until the server confirms it or doesn't know the license.
@Suite struct LicenseReturnTests {
    /// Responses to a return that don't confirm it.
    enum Saying: CaseIterable {
        case tokenEnded, tooEarly, busy, refused, ofAnother

        func answer(_ real: Response) -> Response {
            switch self {
            case .tokenEnded: SimulatedServer.problem(401, "token_expired")
            case .tooEarly: SimulatedServer.problem(409, "request_id_reused")
            case .busy: Response(status: 503)
            case .refused: item(Given.license(1), "refused")
            case .ofAnother: item(Given.license(7), "terminal")
            }
        }

        private func item(_ license: ContentLicenseID, _ outcome: String) -> Response {
            SimulatedServer.json {
                $0.member("license", license.description)
                $0.member("outcome", outcome)
            }
        }
    }

    @Test(arguments: Saying.allCases)
    func `the return of a content license stays pending until the server confirms it`(_ saying: Saying) async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2)
        tablet.server.answer { request, real in request.url.hasSuffix("/return") ? saying.answer(real) : real }
        guard case .unreached = await library.return("mck-1") else {
            Issue.record("the server hasn't accepted the return")
            return
        }
        #expect(await library.ledgerContents.owed.count == 1)
        #expect(await library.status(1) == .returned)
        let again = try await tablet.open()
        #expect(await again.ledgerContents.owed.count == 1)
        tablet.server.answer(nil)
        #expect(await again.giveBackOwed() == nil)
        #expect(await again.ledgerContents.owed.isEmpty)
        #expect(await again.status(1) == .notKept)
    }

    @Test func `returning a content license that the server doesn't know leaves nothing pending`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1)
        tablet.server.with { $0.licenses = [:] }
        #expect(await library.return("mck-1") == .done)
        #expect(await library.ledgerContents.owed.isEmpty)
    }

    @Test func `a content license with a pending return is neither renewed nor restored by a late response`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3)
        let opener = tablet.server.hold()
        let renewal = Task { await library.renewal(.all).progress }
        await library.until { _ in tablet.server.isHolding }
        tablet.server.answer { request, real in
            request.url.hasSuffix("/return") ? Response(status: 503) : real
        }
        _ = await library.return("mck-2")
        opener.finish()
        let progress = await renewal.value
        #expect(progress.map(\.outcome) == [.renewed, .invalid, .renewed])
        #expect(progress[1].explanation?.codes == ["content_license_returned"])
        #expect(await library.status(2) == .returned)
        _ = await library.renewal(.all)
        #expect(tablet.server.with { $0.requestedItems.last } == ["mck-1", "mck-3"])
        #expect(await library.renewal(.items(["mck-2"])).progress.map(\.outcome) == [.invalid])
        #expect(tablet.server.with { $0.requestedItems.count } == 2)
    }

    @Test func `content added again while its return is pending is returned first and gets a new license`() async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1)
        let first = await library.kept(1)?.grant.license
        tablet.server.set(.noNetwork)
        _ = await library.return("mck-1")
        guard case .unreached = await library.add("mck-1") else {
            Issue.record("the request succeeded without a network")
            return
        }
        tablet.server.set(.clear)
        #expect(await library.add("mck-1") == .done)
        #expect(await library.status(1) == .valid)
        #expect(await library.kept(1)?.grant.license != first)
        #expect(await library.ledgerContents.owed.isEmpty)
    }
}
