/// A language for pages and messages.
public enum Language: String, Sendable, Hashable, CaseIterable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"
    /// Korean.
    case korean = "ko"
    /// Japanese.
    case japanese = "ja"
    /// French.
    case french = "fr"
    /// Spanish.
    case spanish = "es"
    /// Chinese in simplified characters.
    case simplifiedChinese = "zh-Hans"
}

extension Language {
    /// Joins sentences with the language's separator: a space, except in Japanese and Chinese.
    package func row(_ sentences: [String]) -> String {
        switch self {
        case .japanese, .simplifiedChinese: sentences.joined()
        case .english, .german, .korean, .french, .spanish: sentences.joined(separator: " ")
        }
    }
}
