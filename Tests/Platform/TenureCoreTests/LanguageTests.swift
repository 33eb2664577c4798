import TenureCore
import Testing

@Suite struct LanguageTests {
    @Test(arguments: [
        ("de", Language.german), ("de-AT", .german), ("JA_jp.UTF-8", .japanese), ("es-419", .spanish),
        ("fr_CA@euro", .french), ("en", .english), ("nl", nil), ("C.UTF-8", nil), ("", nil), ("*", nil),
    ]) func `a language tag selects its language in any region, or none if Tenure has no texts in that language`(
        _ tag: String, _ language: Language?
    ) {
        #expect(Language.named(by: [tag]) == [language])
    }

    @Test(arguments: [
        ("zh", true), ("zh-CN", true), ("zh-SG", true), ("zh_CN.UTF-8", true), ("zh-Hans", true), ("zh-Hans-CN", true),
        ("zh-Hans-HK", true), ("zh-TW", false), ("zh-HK", false), ("zh-MO", false), ("zh-Hant", false),
        ("zh-Hant-TW", false), ("zh_TW.Big5", false), ("zh-Hant-CN", false),
    ]) func `a Chinese tag selects simplified texts unless its script, or else its region, is traditional`(
        _ tag: String, _ isAvailable: Bool
    ) {
        #expect(Language.named(by: [tag]) == [isAvailable ? .simplifiedChinese : nil])
    }

    @Test func `the tag zh after a tag of traditional Chinese doesn't select simplified Chinese`() {
        #expect(Language.named(by: ["zh-TW", "zh", "en"]) == [nil, nil, .english])
        #expect(Language.named(by: ["zh-TW", "zh-CN", "zh"]) == [nil, .simplifiedChinese, nil])
        #expect(Language.named(by: ["zh-CN", "zh", "en"]) == [.simplifiedChinese, .simplifiedChinese, .english])
    }

    @Test(arguments: [
        (Language.english, "1 August 2026, 09:05"), (.german, "1. August 2026, 09:05"), (.korean, "2026년 8월 1일 09:05"),
        (.japanese, "2026年8月1日 09:05"), (.french, "1er août 2026 à 09:05"),
        (.spanish, "1 de agosto de 2026, 09:05"), (.simplifiedChinese, "2026年8月1日 09:05"),
    ]) func `a date is formatted in the order and words of its language`(_ language: Language, _ date: String) {
        #expect(language.date(year: 2026, month: 8, day: 1, time: "09:05") == date)
    }
}
