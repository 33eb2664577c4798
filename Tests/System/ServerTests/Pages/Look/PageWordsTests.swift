import TenureCore
import Testing

@testable import TenureContentServer
@testable import TenureLicensingServer
@testable import TenureMarketplaceServer
@testable import TenureServerKit

/// The sentences that pages and letters contain.
enum PageTables {
    /// One sentence in all languages.
    struct Entry: Sendable, CustomTestStringConvertible {
        let code: String
        let words: [PageLanguage: Wording]

        var testDescription: String { code }
    }

    static let all: [Entry] =
        entries(FrameText.self) + entries(LicensePageText.self) + entries(LearnerPageText.self)
        + entries(ResolutionPageText.self) + entries(ProductPageText.self) + entries(SignInPageText.self)
        + entries(KeyLetterText.self)

    private static func entries<Text: PageText>(_ type: Text.Type) -> [Entry] {
        let tables = PageLanguage.allCases.map { ($0, type.words(in: $0)) }
        return type.allCases.map { code in
            Entry(
                code: "\(type).\(code.rawValue)",
                words: Dictionary(
                    uniqueKeysWithValues: tables.compactMap { language, table in table[code].map { (language, $0) } }))
        }
    }
}

@Suite struct `Words of the pages` {
    /// The languages with a separate singular form.
    static let counting: Set<PageLanguage> = [.english, .german, .french, .spanish]

    @Test(arguments: PageTables.all) func `every page sentence exists in every language, with the same placeholders`(
        _ entry: PageTables.Entry
    ) throws {
        let english = try #require(entry.words[.english])
        for language in PageLanguage.allCases {
            let words = try #require(entry.words[language], "\(entry.code) is missing in \(language)")
            #expect(!words.other.isEmpty && words.one?.isEmpty != true)
            // A singular form may spell out the number.
            #expect(words.placeholders.subtracting(["count"]) == english.placeholders.subtracting(["count"]))
            #expect(words.placeholders.contains("count") == english.placeholders.contains("count"))
            #expect(words.other.split(separator: "\n").count == english.other.split(separator: "\n").count)
        }
    }

    @Test(arguments: PageTables.all) func `a text with a count has a singular in languages that need one`(
        _ entry: PageTables.Entry
    ) throws {
        let isCounted = try #require(entry.words[.english]).placeholders.contains("count")
        for (language, words) in entry.words {
            #expect((words.one != nil) == (isCounted && Self.counting.contains(language)), "\(language)")
        }
    }

    @Test(arguments: PageTables.all)
    func `an English page sentence with letters differs from its Korean, Japanese and Chinese translations`(
        _ entry: PageTables.Entry
    ) throws {
        let english = try #require(entry.words[.english])
        for language in [PageLanguage.korean, .japanese, .simplifiedChinese] {
            let words = try #require(entry.words[language])
            // A sentence may consist of values and punctuation alone.
            let letters = english.pieces(count: nil).contains { piece in
                if case .text(let text) = piece { text.contains(where: \.isLetter) } else { false }
            }
            #expect(words.other != english.other || !letters)
        }
    }

    @Test(arguments: PageTables.all)
    func `French, Spanish and Chinese sentences have the punctuation of their language`(
        _ entry: PageTables.Entry
    ) throws {
        func texts(_ language: PageLanguage) throws -> [String] {
            let words = try #require(entry.words[language])
            return [words.other, words.one].compactMap(\.self)
        }
        for text in try texts(.french) {
            #expect(!text.contains(/[^\u{202F}][;:!?»]|«[^\u{202F}]|['"]/), "no narrow no-break space: \(text)")
        }
        for text in try texts(.spanish) {
            #expect(text.count { $0 == "?" } == text.count { $0 == "¿" }, "no inverted question mark: \(text)")
        }
        for text in try texts(.simplifiedChinese) {
            #expect(!text.contains(/[,.;:!?()"']/), "a mark of half width: \(text)")
        }
    }

    @Test func `values inserted into a page's text aren't scanned for placeholders`() {
        let text = FrameText.showApp(in: .english, ["app": "{marketplace}", "marketplace": "{app}"])
        #expect(text == "Show {marketplace} at {app}")
        #expect(FrameText.timeInDays(in: .english, count: 1) == "in 1 day")
        #expect(FrameText.timeInDays(in: .german, count: 2) == "in 2 Tagen")
        #expect(FrameText.tooManyText(in: .english, count: 1) == "Try again in a minute.")
        #expect(FrameText.askedText.paragraphs(in: .english, ["app": "X"]).count == 2)
    }

    @Test(arguments: [
        ("2026-03-29T00:59:59Z", "Europe/Berlin", "UTC+1"), ("2026-03-29T01:00:00Z", "Europe/Berlin", "UTC+2"),
        ("2026-10-25T00:59:59Z", "Europe/Berlin", "UTC+2"), ("2026-10-25T01:00:00Z", "Europe/Berlin", "UTC+1"),
        ("2026-03-08T09:59:59Z", "America/Los_Angeles", "UTC-8"),
        ("2026-03-08T10:00:00Z", "America/Los_Angeles", "UTC-7"),
        ("2026-11-01T08:59:59Z", "America/Los_Angeles", "UTC-7"),
        ("2026-11-01T09:00:00Z", "America/Los_Angeles", "UTC-8"),
        ("2026-04-04T15:59:59Z", "Australia/Sydney", "UTC+11"), ("2026-04-04T16:00:00Z", "Australia/Sydney", "UTC+10"),
        ("2026-10-03T15:59:59Z", "Australia/Sydney", "UTC+10"), ("2026-10-03T16:00:00Z", "Australia/Sydney", "UTC+11"),
        ("2026-09-26T13:59:59Z", "Pacific/Auckland", "UTC+12"), ("2026-09-26T14:00:00Z", "Pacific/Auckland", "UTC+13"),
        ("2026-04-04T13:59:59Z", "Pacific/Auckland", "UTC+13"), ("2026-04-04T14:00:00Z", "Pacific/Auckland", "UTC+12"),
        ("2026-07-01T00:00:00Z", "Asia/Kolkata", "UTC+5:30"), ("2026-07-01T00:00:00Z", "UTC", "UTC"),
    ]) func `a time zone's UTC offset follows the legal start and end of daylight saving time`(
        _ time: String, _ zone: String, _ label: String
    ) throws {
        let zone = try #require(PageZone(named: zone))
        #expect(zone.label(at: try #require(Timestamp(text: time))) == label)
    }

    @Test func `a date is shown in the person's language and time zone`() throws {
        let time = try #require(Timestamp(text: "2026-12-08T19:39:00Z"))
        let seoul = try #require(PageZone(named: "Asia/Seoul"))
        #expect(time.forPeople == "8 December 2026, 19:39 UTC")
        #expect(time.forPeople(in: PageLocale(.german, zone: seoul)) == "9. Dezember 2026, 04:39 UTC+9")
        #expect(time.forPeople(in: PageLocale(.korean, zone: seoul)) == "2026년 12월 9일 04:39 UTC+9")
        #expect(time.forPeople(in: PageLocale(.japanese, zone: seoul)) == "2026年12月9日 04:39 UTC+9")
        #expect(time.forPeople(in: PageLocale(.french, zone: seoul)) == "9 décembre 2026 à 04:39 UTC+9")
        #expect(time.forPeople(in: PageLocale(.spanish, zone: seoul)) == "9 de diciembre de 2026, 04:39 UTC+9")
        #expect(time.forPeople(in: PageLocale(.simplifiedChinese, zone: seoul)) == "2026年12月9日 04:39 UTC+9")
        let first = try #require(Timestamp(text: "2026-08-01T19:39:00Z"))
        #expect(first.forPeople(in: PageLocale(.french)) == "1er août 2026 à 19:39 UTC")
        #expect(PageZone(named: "Mars/Olympus") == nil)
        #expect(Set(PageZone.all.map(\.name)).count == PageZone.all.count)
    }
}
