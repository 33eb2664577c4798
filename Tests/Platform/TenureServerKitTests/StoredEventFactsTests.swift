import GoldenFiles
import TenureCore
import TenureServerKit
import Testing

/// Tests the stored bytes of an event's facts and actor, because databases contain events for years.
@Suite struct StoredEventFactsTests {
    private static let facts = [
        Reason.Evidence("limit", .number(-3)), Reason.Evidence("ended", .date(Timestamp(seconds: 1_800_000_000))),
        Reason.Evidence("name", .text("Mia \"M\" \\ Lee\n이")),
    ]

    @Test(arguments: [("full", facts), ("none", [])])
    func `the facts of an event are read and written with unchanged bytes`(name: String, facts: [Reason.Evidence])
        throws
    {
        let file = GoldenFile("server/event-facts-\(name).json")
        try file.compare(Array(Event.code(facts).utf8))
        #expect(try Event.facts(code: String(decoding: file.bytes(), as: UTF8.self)) == facts)
    }

    @Test func `the actors of events are read and written with unchanged text`() throws {
        let actors: [Actor] = [
            .device, .operator("ci"), .holder, Actor(Actor.Kind("account"), "ada"), .time,
            Actor(Actor.Kind("app-store")),
        ]
        let file = GoldenFile("server/event-actors.txt")
        try file.compare(lines: actors.map(\.description))
        #expect(try file.lines().map(Actor.init(text:)) == actors)
    }
}
