import TenureContent
import TenureCore
import TenureServerKit
import TenureTesting
import Testing

@testable import TenureContentServer

/// The responses to a player's downloads and checks, and which of them change the store.
@Suite struct KollusQuestionTests {
    let learner: Learner
    let context: ContentContext

    init() async throws {
        learner = try await Learner(at: try await Vendor(Learner.contents))
        context = ContentContext(catalog: learner.catalog, clock: learner.vendor.clock)
    }

    func send(_ kind: KollusItem.Kind, _ keys: [String], isReset: Bool = false) async throws -> [String] {
        let items = keys.map { key in
            KollusItem(
                kind: kind, key: key, user: "ada", player: "phone", sessionKey: kind == .check ? "s1" : nil,
                isReset: isReset)
        }
        return try await context.answerKollus(items, of: Learner.tenant, unknown: .leave).map {
            $0.map { String(decoding: $0.object, as: UTF8.self) } ?? ""
        }
    }

    /// Returns how many changes the store performs during `body`.
    func changes(_ body: () async throws -> Void) async throws -> Int {
        let before = learner.vendor.watched.changes
        try await body()
        return learner.vendor.watched.changes - before
    }

    /// Returns when the content expires according to the response, in hours from the start, or `nil` if the response
    /// has no date.
    private func end(_ kind: KollusItem.Kind, _ session: String? = nil, isReset: Bool = false) async throws -> Int64? {
        let item = KollusItem(
            kind: kind, key: "mck-1", user: "ada", player: "phone", sessionKey: session, isReset: isReset)
        let result = try await context.answerKollus([item], of: Learner.tenant, unknown: .leave)
        let reply = try #require(result.first ?? nil)
        return KollusToken.expirationDate(of: reply.object).map { ($0 - 1_800_000_000) / 3_600 }
    }

    private func shortened() async throws {
        try await learner.vendor.apply(
            Learner.contents.replacing(#""expiresAfterDays": 30"#, with: #""expiresAfterDays": 3"#))
    }

    @Test func `a Kollus download that is repeated after a renewal gets the renewed end date`() async throws {
        try await shortened()
        try await learner.enrols()
        #expect(try await end(.download) == 72)
        #expect(try await end(.download) == 72)
        learner.vendor.clock.advance(seconds: 60 * 3_600)
        #expect(try await end(.check, "s1", isReset: true) == 132)
        #expect(try await end(.check, "s1", isReset: true) == 132)
        // The stored response hasn't expired, but a later end has been issued.
        #expect(try await end(.download) == 132)
        learner.vendor.clock.advance(seconds: 36 * 3_600)
        #expect(try await end(.download) == 132)
    }

    @Test func `a Kollus check within a minute of a renewal doesn't renew the content license again`() async throws {
        try await shortened()
        try await learner.enrols()
        #expect(try await end(.download) == 72)
        #expect(try await end(.check, isReset: true) == 72)
        learner.vendor.clock.advance(seconds: 24 * 3_600)
        #expect(try await end(.check, isReset: true) == 96)
        learner.vendor.clock.advance(seconds: 60)
        let before = try await learner.events().count
        #expect(try await end(.check, isReset: true) == 96)
        #expect(try await learner.events().count == before)
        learner.vendor.clock.advance(seconds: 48 * 3_600)
        #expect(try await end(.check, "s", isReset: true) == 144)
        #expect(try await end(.check, isReset: true) == 144)
    }

    @Test func `once an enrolment is extended, the next Kollus download gets the later end date`() async throws {
        let enrolment = try await learner.enrols(days: 5)
        #expect(try await end(.download) == 120)
        try await learner.act(.extend(.days(10)), on: enrolment)
        #expect(try await end(.download) == 360)
        #expect(try await end(.download) == 360)
        #expect(try await learner.events().filter { $0.kind == .contentRenewed }.count == 1)
    }

    @Test func `a repeated Kollus check writes only the time of the device's last request, at most once an hour`()
        async throws
    {
        try await learner.enrols()
        let keys = ["mck-1", "mck-2"]
        _ = try await send(.download, keys)
        #expect(try await changes { _ = try await send(.complete, keys) } == 1)
        let first = try await send(.check, keys)
        var again: [String] = []
        #expect(try await changes { again = try await send(.check, keys) } == 0)
        #expect(again == first)
        #expect(try await changes { _ = try await send(.check, ["mck-1"], isReset: true) } >= 1)
        // The time of a device's last request is stored at most once per hour.
        learner.vendor.clock.advance(seconds: 3_700)
        #expect(try await changes { _ = try await send(.check, keys) } == 1)
        #expect(try await changes { _ = try await send(.check, keys) } == 0)
    }

    /// Sends a request from a player whose clock is off by `clockError` seconds.
    private func send(_ kind: KollusItem.Kind, player: String, clockError: Int64, user: String = "ada") async throws {
        let now = learner.vendor.clock.now()
        let item = KollusItem(
            kind: kind, key: "mck-1", user: user, player: player, localTime: now.adding(seconds: clockError))
        _ = try await context.answerKollus([item, item], of: Learner.tenant, unknown: .leave)
    }

    @Test func `a Kollus player's wrong clock is recorded at most once a day, with the player's and the server's time`()
        async throws
    {
        try await learner.enrols()
        func recorded() async throws -> [Event] { try await learner.events().filter { $0.kind == .playerClockWrong } }
        let start = learner.vendor.clock.now()
        try await send(.download, player: "phone", clockError: 300)
        #expect(try await recorded().isEmpty, "a difference of five minutes is tolerated")
        for _ in 1...2 { try await send(.check, player: "phone", clockError: -7_200) }
        try await send(.download, player: "tablet", clockError: 86_400)
        let events = try await recorded()
        #expect(events.count == 2 && Set(events.compactMap(\.subject.contentLicense)).count == 2)
        #expect(events[0].facts.map(\.name) == ["content", "device", "playerTime", "serverTime"])
        #expect(events[0].facts.suffix(2).map(\.value) == [.date(start.adding(seconds: -7_200)), .date(start)])

        learner.vendor.clock.advance(seconds: 86_399)
        try await send(.check, player: "phone", clockError: -7_200)
        #expect(try await recorded().count == 2)
        learner.vendor.clock.advance(seconds: 1)
        try await send(.check, player: "phone", clockError: -7_200)
        #expect(try await recorded().count == 3)
    }

    @Test func `the wrong clock of a Kollus player without a content license isn't recorded`() async throws {
        try await send(.check, player: "invented", clockError: 7_200, user: "nobody")
        #expect(try await learner.events().isEmpty)
    }

    @Test func `a Kollus check tells the player that content has expired once its enrolment is revoked`() async throws {
        let expired = #""content_expired":1"#
        let enrolment = try await learner.enrols()
        _ = try await send(.download, ["mck-1"])
        #expect(try await !send(.check, ["mck-1"])[0].contains(expired))
        try await learner.act(.end(.revoke), on: enrolment)
        for _ in 1...2 { #expect(try await send(.check, ["mck-1"])[0].contains(expired)) }
    }

    @Test func `a Kollus check finds content whose Kollus key was just added to the catalog`() async throws {
        try await learner.enrols(.content(ContentID("mck-3")!))
        #expect(try await !send(.check, ["film-1"])[0].contains("expiration_date"))
        let named = Learner.contents.replacing(#""title": "Film","#, with: #""title": "Film", "kollusKey": "film-1","#)
        try await learner.vendor.apply(named)
        _ = try await send(.download, ["film-1"])
        #expect(try await send(.check, ["film-1"])[0].contains("expiration_date"))
    }
}
