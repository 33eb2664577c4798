import Foundation
import TenureCore
import Testing

@Suite struct ModelTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_800_000_000, "2027-01-15T08:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"), (2_147_483_648, "2038-01-19T03:14:08Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)]) func `a time is formatted as ISO 8601 text and parsed back`(
            seconds: Int64, text: String
        )
    {
        #expect(Timestamp(seconds: seconds).description == text)
        #expect(Timestamp(text: text) == Timestamp(seconds: seconds))
    }

    @Test func `random times are formatted like Foundation's ISO 8601 dates and parsed back`() {
        let formatter = ISO8601DateFormatter()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -12_000_000_000...200_000_000_000, using: &generator)
            let time = Timestamp(seconds: seconds)
            #expect(time.description == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
            #expect(Timestamp(text: time.description) == time)
        }
    }

    @Test(arguments: [
        ("2026-02-29", false), ("2024-02-29", true), ("2026-13-01", false), ("2026-00-10", false), ("2026-1-1", false),
        ("2026-01-01T24:00:00Z", false), ("2026-01-01T10:00:60Z", false), ("2026-01-01T10:00:00", false),
        ("2026-01-01T10:00:00+01:30", true), ("2026-01-01T10:00:00.123Z", true), ("2026-01-01T10:00:00.Z", false),
        ("2026-01-01T10:00:00Zx", false), ("", false), ("tomorrow", false),
    ]) func `text is parsed as a time only if it's an existing date, or date and time with an offset, in ISO 8601`(
        text: String, valid: Bool
    ) {
        #expect((Timestamp(text: text) != nil) == valid)
    }

    @Test func `a time with a UTC offset is parsed to the same instant in UTC`() {
        #expect(Timestamp(text: "2026-01-01T01:30:00+01:30") == Timestamp(text: "2026-01-01T00:00:00Z"))
    }

    @Test func `adding to a time saturates at the ends of the range`() {
        #expect(Timestamp(seconds: .max).adding(seconds: 1) == Timestamp(seconds: .max))
        #expect(Timestamp(seconds: .min).adding(days: -1) == Timestamp(seconds: .min))
        #expect(Timestamp(seconds: 0).adding(days: .max) == Timestamp(seconds: .max))
        #expect(Timestamp(seconds: .min).seconds(until: Timestamp(seconds: .max)) == .max)
    }

    @Test(arguments: [
        ("acme", true), ("a-b_c9", true), ("", false), ("A", false), ("a b", false), ("a/b", false), ("..", false),
        ("é", false), ("a|b", false), ("a,b", false), (String(repeating: "a", count: 64), true),
        (String(repeating: "a", count: 65), false), ("_a", false), ("-a", false), ("9_-", true),
    ]) func `only text in the format of a slug is accepted as a tenant's id`(text: String, valid: Bool) {
        #expect((TenantID(text) != nil) == valid)
    }

    @Test func `the text of a license id is parsed in either letter case`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let id = LicenseID.random(using: &generator)
            #expect(LicenseID(text: id.description) == id)
            #expect(LicenseID(text: id.description.uppercased()) == id)
        }
        #expect(LicenseID(text: "lic_0000000000000") == LicenseID(number: 0))
        #expect(LicenseID(text: LicenseID(number: .max)!.description)?.number == .max)
        #expect(LicenseID(text: "lic_zzzzzzzzzzzzz") == nil)
        #expect(LicenseID(text: "lic_000000000000") == nil)
        #expect(LicenseID(text: "lic_00000000000u0") == nil)
    }

    @Test func `a random activation ID is a UUID of version 4`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let id = ActivationID.random(using: &generator)
            let uuid = try #require(UUID(uuidString: id.description))
            #expect(uuid.uuidString.lowercased() == id.description)
            #expect(id.description.dropFirst(14).first == "4")
            #expect("89ab".contains(id.description.dropFirst(19).first!))
            #expect(ActivationID(text: uuid.uuidString) == id)
        }
        #expect(ActivationID(text: "00000000-0000-4000-8000-00000000000g") == nil)
        #expect(ActivationID(text: "00000000_0000-4000-8000-000000000000") == nil)
    }

    @Test func `an actor's text is parsed to the same actor`() {
        for actor in [Actor.device, .time, .operator("ada"), .operator("")] {
            #expect(Actor(text: actor.description) == actor)
        }
        // The text names a kind of actor that this version doesn't know.
        let other = Actor(text: "robot:7:a")
        #expect(other.kind == Actor.Kind("robot") && other.name == "7:a" && other.description == "robot:7:a")
        // In Swift, the combining mark and the colon form one `Character`.
        let marked = Actor(Actor.Kind("account"), "\u{301}ada")
        #expect(Actor(text: marked.description) == marked)
        #expect(Actor(text: "root") == Actor(Actor.Kind("root")))
    }
}
