import TenureContent
import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureContentServer

@Suite struct `What one learner's device can make the server store` {
    private let learner: Learner
    private let token: String
    private let license: ContentLicenseID

    init() async throws {
        learner = try await Learner(at: Vendor(Learner.contents))
        try await learner.enrols()
        token = try await learner.token(1)
        let answer = await learner.gets("mck-1", with: token)
        license = try #require(answer.text("license").flatMap { ContentLicenseID(text: $0) })
    }

    /// Reports plays, each with a sequence of its own.
    private func report(_ plays: Range<Int>, request: String, startedAt: Int64? = nil) async -> Answer {
        let start = startedAt ?? learner.vendor.clock.now().seconds
        let sessions = plays.map { number in
            let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
            return """
                {"license": "\(license)", "version": 1, "session": "\(id)", "sequence": \(number), \
                "startedAt": \(start), "playSeconds": 1, "counted": true, "ended": true}
                """
        }
        return await learner.vendor.post(
            "/content/acme/v1/usage",
            #"{"requestId": "\#(request)", "usage": [\#(sessions.joined(separator: ","))]}"#,
            headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"])
    }

    private func plays() async throws -> Int { try await learner.vendor.store.all(ReportedPlay.table.all).count }

    private func replies() async throws -> Int { try await learner.vendor.store.all(IdempotentReply.table.all).count }

    private func stored() async throws -> ContentLicense {
        try #require(try await learner.vendor.store.all(ContentLicense.table.all).first)
    }

    /// Runs the purge of old plays.
    private func purge() async throws {
        let purge = Purge(store: learner.vendor.store, clock: learner.vendor.clock, interval: .seconds(1), [.plays])
        _ = try await purge.turn(as: nil)
    }

    @Test func `after 600 requests in a minute for a content license, the next one gets 429 with a retry time`()
        async throws
    {
        for number in 1..<600 { #expect(await report(1..<2, request: "request-\(number)").status == 200) }
        let refused = await report(1..<2, request: "request-600")
        #expect(refused.status == 429 && refused.code == "try_again")
        #expect(refused.headers["Retry-After"] == "60")
        #expect(try await replies() == 600)
        #expect(try await plays() == 1)
        let other = try await learner.token(2)
        #expect(await learner.gets("mck-2", with: other).status == 200, "another device of the learner")
        learner.vendor.clock.advance(seconds: 60)
        #expect(await report(1..<2, request: "request-600").status == 200)
    }

    @Test func `a content license's plays beyond 5,000 in 30 days are refused, but stored plays may be reported again`()
        async throws
    {
        for part in 0..<10 {
            #expect(await report(part * 500 + 1..<part * 500 + 501, request: "request-\(part)").status == 200)
        }
        let refused = await report(5_001..<5_002, request: "request-10")
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "\(30 * 86_400)")
        #expect(try await plays() == 5_000)
        #expect(await report(1..<2, request: "request-11").status == 200)
        #expect(try await stored().used.plays == 5_000)
    }

    @Test func `plays are aggregated after a year, and reporting them again doesn't raise the count`() async throws {
        #expect(await report(1..<4, request: "request-1").status == 200)
        learner.vendor.clock.advance(days: 10)
        #expect(await report(4..<5, request: "request-2").status == 200)
        learner.vendor.clock.advance(days: 357)
        try await purge()
        #expect(try await plays() == 1)
        let license = try await stored()
        #expect(license.used.plays == 4 && license.summed == 3)
        let again = [1, 4, 5].map { GivenPlay.report(self.license, UInt64($0)) }
        let existing = try await learner.vendor.store.all(ReportedPlay.table.all).map(\.report)
        let settled = license.settling(again, existing: existing, at: learner.vendor.clock.now())
        #expect(settled.license.used.plays == 5 && settled.sessions.map(\.sequence) == [5])
    }

    @Test func `a play that claims to start in the future is removed a year after its report`()
        async throws
    {
        let future = learner.vendor.clock.now().adding(days: 90_000).seconds
        #expect(await report(1..<2, request: "request-1", startedAt: future).status == 200)
        learner.vendor.clock.advance(days: 367)
        try await purge()
        #expect(try await plays() == 0)
    }
}

private enum GivenPlay {
    static func report(_ license: ContentLicenseID, _ number: UInt64) -> SessionReport {
        SessionReport(
            license: license, version: 1, session: PlaySessionID(high: 0x4000, low: 0x8000_0000_0000_0000 + number),
            sequence: Int64(number), startedAt: Timestamp(seconds: 1_800_000_000), playSeconds: 1, isCounted: true,
            isEnded: true)!
    }
}
