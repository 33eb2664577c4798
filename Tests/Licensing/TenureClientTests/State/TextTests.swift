import Foundation
import TenureClient
import TenureCore
import TenureLicensing
import Testing

/// The texts of reasons in the client's languages.
@Suite struct TextTests {
    /// The reasons that a server can send to a device about a license or a trial.
    private static let told: [Reason.Kind] =
        Reason.Kind.licensing.filter {
            ![.termNotOver, .termPerpetual, .renewalNotLater, .endTooLate, .holderUnchanged, .keyTaken].contains($0)
        }
        + Reason.Kind.trials

    private static let translated = TextLanguage.allCases.filter { $0 != .english }

    @Test(arguments: translated)
    func `each translation has a text for every reason that a person sees and for every license error`(
        language: TextLanguage
    ) {
        let missing = (Reason.Kind.client + Self.told).map(\.text).filter { language.texts[$0] == nil }
        #expect(missing.isEmpty)
        let errors = ["not_stored", "not_read", "misconfigured", "no_device"]
        #expect(errors.filter { language.texts["error.\($0)"] == nil }.isEmpty)
    }

    @Test(arguments: translated) func `a translated text has placeholders only for its reason's evidence`(
        language: TextLanguage
    ) {
        let kinds = Dictionary(grouping: Reason.Kind.client + Self.told, by: \.text)
        for (name, pair) in language.texts {
            let code = String(name.split(separator: ".")[0])
            let facts = kinds[code]?.first?.facts.map(\.name) ?? []
            let used = TextStyle.placeholders(in: pair.message + pair.cure)
            #expect(used.isSubset(of: facts), "\(language) \(name)")
            #expect(TextStyle.placeholders(in: pair.cure).isEmpty, "\(language) \(name)")
            #expect(!pair.message.isEmpty && !pair.cure.isEmpty, "\(language) \(name)")
        }
    }

    @Test(arguments: translated) func `each cause for which an order suspends a license has its own text`(
        language: TextLanguage
    ) {
        let style = TextStyle(language)
        let texts = OrderStop.Cause.allCases.map { cause in
            let evidence = Reason.Evidence("cause", .text(cause.rawValue))
            return style.message(of: Reason(.licenseSuspended, evidence: [evidence]))
        }
        let plain = style.message(of: Reason(.licenseSuspended))
        #expect(Set(texts + [plain]).count == texts.count + 1)
        let stated = Reason(.licenseSuspended, evidence: [.init("vendorReason", .text("refund"))])
        #expect(style.message(of: stated) == plain, "the vendor's own words choose no text")
    }

    @Test func `French and Chinese texts have the punctuation of their language`() {
        func texts(_ language: TextLanguage) -> [String] {
            language.texts.values.flatMap { [$0.message, $0.cure] } + language.viewTexts.values
        }
        for text in texts(.french) {
            #expect(!text.contains(/[^\u{202F}][;:!?»]|«[^\u{202F}]|['"]/), "no narrow no-break space: \(text)")
        }
        for text in texts(.simplifiedChinese) {
            #expect(!text.contains(/[,.;:!?()"']/), "a mark of half width: \(text)")
        }
    }

    @Test func `all languages have the same text keys`() {
        for language in Self.translated {
            #expect(Set(language.texts.keys) == Set(TextLanguage.german.texts.keys), "\(language)")
            let names = language.viewTexts.keys.filter { !(language.viewTexts[$0] ?? "").isEmpty }
            #expect(Set(names) == Set(TextLanguage.english.viewTexts.keys), "\(language)")
            for (name, text) in language.viewTexts {
                let own = TextStyle.placeholders(in: text)
                #expect(own == TextStyle.placeholders(in: TextLanguage.english.viewTexts[name] ?? ""), "\(name)")
            }
        }
    }

    @Test(arguments: [
        (["de"], "de"), (["de-AT", "en"], "de"), (["nl", "ja_JP.UTF-8"], "ja"), (["nl"], "en"), (["C.UTF-8"], "en"),
        (["KO-kr"], "ko"), (["en-GB", "de"], "en"), (["fr-CA"], "fr"), (["es-MX", "en"], "es"),
        (["zh-Hans-CN"], "zh-Hans"), (["zh_CN.UTF-8"], "zh-Hans"), (["zh-Hant-TW", "fr"], "fr"),
        (["zh_TW", "zh", "ja"], "ja"),
    ]) func `the person's first supported language is chosen`(preferred: [String], chosen: String) {
        #expect(TextLanguage(preferring: preferred).rawValue == chosen)
    }

    @Test(arguments: [
        (TextLanguage.english, "The trial ends on 8 December 2026, 20:39."),
        (.german, "Die Testphase endet am 8. Dezember 2026, 20:39."), (.korean, "체험 기간이 2026년 12월 8일 20:39에 끝납니다."),
        (.japanese, "試用期間は2026年12月8日 20:39に終了します。"), (.french, "L’essai se termine le 8 décembre 2026 à 20:39."),
        (.spanish, "La prueba termina el 8 de diciembre de 2026, 20:39."),
        (.simplifiedChinese, "试用期将于 2026年12月8日 20:39 结束。"),
    ]) func `dates are in the person's language and time zone`(language: TextLanguage, message: String) throws {
        let end = try #require(Timestamp(text: "2026-12-08T19:39:05Z"))
        let style = TextStyle(language, timeZone: TimeZone(secondsFromGMT: 3_600))
        #expect(style.message(of: .trialRunning(daysLeft: 3, end: end, next: nil)) == message)
    }

    @Test func `an unknown reason is shown in the server's words, with dates in the person's format`() {
        let style = TextStyle(.german, timeZone: TimeZone(secondsFromGMT: 0))
        let reasons = ToldReason(
            code: "license_expired", message: "The license expired on 2026-12-08T19:39:05Z.", cure: nil,
            changesAt: nil, evidence: ["expiredAt": "2026-12-08T19:39:05Z"])
        #expect(style.message(of: Reason(reasons)) == "Die Lizenz ist am 8. Dezember 2026, 19:39 abgelaufen.")
        let new = ToldReason(
            code: "moon_phase", message: "Zeus: wait until 2026-12-08T19:39:05Z, not 2026-13-08T19:39:05Z.", cure: nil,
            changesAt: nil, evidence: nil)
        #expect(
            style.message(of: Reason(new)) == "Zeus: wait until 8. Dezember 2026, 19:39, not 2026-13-08T19:39:05Z.")
    }

    @Test func `an explanation that an app wrote itself isn't translated`() {
        let created = Explanation(Explanation.Reason(code: "trial_ended", message: "Over.", cure: "Buy it."))
        #expect(created.localized(["de"]).message == "Over.")
        #expect(Explanation(.noFreeTier).localized(["de"]).cure == "Aktiviere einen Lizenzschlüssel.")
    }
}
