import TenureCore
import TenureServerKit
import TenureTesting
import Testing

@testable import TenureContent

/// What a player's checks cost the store.
@Suite struct KollusQuestionTests {
    let learner: Learner
    let answer: AnswerKollus

    init() async throws {
        learner = try await Learner(at: try await Vendor(Learner.contents))
        answer = AnswerKollus(catalog: learner.catalog, clock: learner.vendor.clock, randomness: .system)
    }

    func ask(_ kind: KollusItem.Kind, _ keys: [String], isReset: Bool = false) async throws -> [String] {
        let items = keys.map { key in
            KollusItem(
                kind: kind, key: key, user: "ada", player: "phone", sessionKey: kind == .check ? "s1" : nil,
                isReset: isReset)
        }
        return try await answer(items, of: Learner.tenant, unknown: .leave).map { String(decoding: $0, as: UTF8.self) }
    }

    /// How many changes the store is asked for.
    func changes(_ body: () async throws -> Void) async throws -> Int {
        let before = learner.vendor.watched.changes
        try await body()
        return learner.vendor.watched.changes - before
    }

    @Test func `a check that changes nothing waits for no writer, and one that gives something does`() async throws {
        try await learner.enrols()
        let keys = ["mck-1", "mck-2"]
        _ = try await ask(.download, keys)
        #expect(try await changes { _ = try await ask(.complete, keys) } == 1)
        let first = try await ask(.check, keys)
        var again: [String] = []
        #expect(try await changes { again = try await ask(.check, keys) } == 0)
        #expect(again == first)
        #expect(try await changes { _ = try await ask(.check, ["mck-1"], isReset: true) } >= 1)
        // When a device was seen is written to the hour.
        learner.vendor.clock.advance(seconds: 3_700)
        #expect(try await changes { _ = try await ask(.check, keys) } == 1)
        #expect(try await changes { _ = try await ask(.check, keys) } == 0)
    }

    @Test func `a check sees what was changed before it`() async throws {
        let enrolment = try await learner.enrols()
        _ = try await ask(.download, ["mck-1"])
        let before = try await ask(.check, ["mck-1"])
        try await learner.act(.end(.revoke), on: enrolment)
        let after = try await ask(.check, ["mck-1"])
        #expect(before != after)
        #expect(try await ask(.check, ["mck-1"]) == after)
    }

    @Test func `a content that the catalog names since is found at once`() async throws {
        try await learner.enrols(.content(ContentID("mck-3")!))
        let unlisted = try await ask(.check, ["film-1"])
        let named = Learner.contents.replacing(#""title": "Film","#, with: #""title": "Film", "kollusKey": "film-1","#)
        try await learner.vendor.apply(named)
        _ = try await ask(.download, ["film-1"])
        #expect(try await ask(.check, ["film-1"]) != unlisted)
    }
}
