import TenureCore
import TenureServerKit

/// The sentences of a letter with license keys.
enum KeyLetterText: String, PageText {
    case keySubject, keysSubject, replacedSubject, greeting, greetingUnnamed, keysIntro, replacedIntro, devicesContinue,
        devicesContinueIfEarlier, devicesStop, plan, validUntil, expiredOn, neverExpires, startsWhenActivated,
        howToActivate, orLink, linkNotOpened, support

    static func words(in language: Language) -> [KeyLetterText: Wording] {
        switch language {
        case .english: KeyLetterEnglish.words
        case .german: KeyLetterGerman.words
        case .korean: KeyLetterKorean.words
        case .japanese: KeyLetterJapanese.words
        case .french: KeyLetterFrench.words
        case .spanish: KeyLetterSpanish.words
        case .simplifiedChinese: KeyLetterSimplifiedChinese.words
        }
    }
}
