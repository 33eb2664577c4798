import TenureContent
import TenureCore
import TenureServerKit
import Testing

@testable import TenureContentServer

@Suite struct `Words for learners` {
    static let day = Timestamp(seconds: 1_800_000_000)

    /// Every reason that a learner's page may show, with facts as the rules supply them.
    static let reasons: [Reason] =
        Reason.Kind.content.filter { kind in
            ![.extensionNotLater, .enrolmentNeverEnds, .endNotEarlier, .referenceTaken].contains(kind)
        }.map { kind in
            Reason(
                kind,
                evidence: kind.facts.map { fact in
                    fact.type == .date
                        ? .init(fact.name, .date(day))
                        : fact.type == .number
                            ? .init(fact.name, .number(7)) : .init(fact.name, .text("enr_0000000000003"))
                })
        } + [
            Reason(.deviceLimitReached, evidence: [.init("devices", .number(7)), .init("deviceLimit", .number(7))])
        ]

    @Test(arguments: reasons)
    func `each reason on the learner page has a text in every language, with its facts filled in`(
        _ reason: Reason
    ) throws {
        let (english, korean) = (reason.sentence(in: PageLocale()), reason.sentence(in: PageLocale(.korean)))
        for language in PageLanguage.allCases {
            let result = try #require(reason.words(in: PageLocale(language)))
            #expect(!result.contains("{") && !result.contains("?"), "all facts are filled in")
        }
        #expect(english.hasSuffix(".") && korean.hasSuffix("."))
        #expect(english.unicodeScalars.allSatisfy(\.isASCII) && !korean.unicodeScalars.allSatisfy(\.isASCII))
        // Dates and numbers are the same in both languages.
        #expect(english.contains("15 January 2027") == korean.contains("2027년 1월 15일"))
        #expect(english.contains("7") == korean.contains("7"))
        #expect(!english.contains("enr_") && !korean.contains("enr_"))
    }

    @Test(arguments: reasons) func `each content reason and its remedy have an English and a Korean text for apps`(
        _ reason: Reason
    ) {
        #expect(reason.localized(inApp: .english) == reason)
        let korean = reason.localized(inApp: .korean)
        #expect(korean.code == reason.code && korean.evidence == reason.evidence)
        #expect(korean.changesAt == reason.changesAt)
        for sentence in [korean.message, korean.cure] {
            #expect(sentence.hasSuffix(".") && !sentence.unicodeScalars.allSatisfy(\.isASCII))
            #expect(!sentence.contains("이 페이지"), "the text refers to a page although there is none")
        }
    }

    @Test(arguments: [Reason.Kind.selfReleaseOff, .selfReleaseCooldown, .selfReleaseUsedUp])
    func `each reason for a refused release has a Korean text for apps`(_ kind: Reason.Kind) {
        let korean = Reason(kind, changesAt: Self.day).localized(inApp: .korean)
        #expect(!korean.message.unicodeScalars.allSatisfy(\.isASCII) && korean.message != kind.sentence)
    }

    @Test(arguments: [ContentOutlook.Help.connect, .wait, .release, .setClock, .vendor], [true, false])
    func `each remedy for locked content has an English and a Korean text`(
        _ help: ContentOutlook.Help, _ canRelease: Bool
    ) {
        let words = help.words(canRelease: canRelease)
        #expect(words(in: .english).hasSuffix(".") && words(in: .korean).hasSuffix("."))
        #expect(words(in: .english) != words(in: .korean))
    }

    @Test(arguments: [Reason.Kind.selfReleaseOff, .selfReleaseCooldown, .selfReleaseUsedUp])
    func `the reasons for a refused release have a text in every language`(_ kind: Reason.Kind) {
        let reason = Reason(kind, changesAt: kind == .selfReleaseOff ? nil : Self.day)
        for language in PageLanguage.allCases {
            let result = reason.toldOfRelease(in: PageLocale(language))
            #expect(result.count == (kind == .selfReleaseOff ? 1 : 2))
            #expect(result.joined().contains(Self.day.forPeople(in: language)) == (kind != .selfReleaseOff))
        }
    }

    @Test(arguments: [
        (Int64(0), "0 s", "0초"), (59, "59 s", "59초"), (60, "1 min", "1분"), (7260, "2 h 1 min", "2시간 1분"),
        (3601, "1 h 1 s", "1시간 1초"),
    ]) func `play time is formatted in English and Korean`(_ seconds: Int64, _ english: String, _ korean: String) {
        #expect(seconds.playTime(in: .english) == english && seconds.playTime(in: .korean) == korean)
    }

    @Test(arguments: [(-90, "1분 전"), (0, "지금"), (7200, "2시간 후"), (3 * 86_400, "3일 후")])
    func `relative times are formatted in Korean`(_ seconds: Int64, _ expected: String) {
        #expect(Self.day.adding(seconds: seconds).distance(from: Self.day, in: .korean) == expected)
    }
}
