package import TenureCore
import TenureFoundation

/// A language in which the client explains a license.
package typealias TextLanguage = Language

extension Language {
    /// Chooses the first of these languages that the client has texts in, or English.
    ///
    /// - Parameter preferred: Language tags such as `de-AT`, most preferred first; empty for the user's languages.
    package init(preferring preferred: [String]) {
        let tags = preferred.isEmpty ? Self.ofUser : preferred
        self = Self.named(by: tags).lazy.compactMap(\.self).first ?? .english
    }

    /// The translations of this language; empty for English, in which the reasons are written.
    package var texts: [String: TextPair] {
        switch self {
        case .english: [:]
        case .german: GermanTexts.reasons
        case .korean: KoreanTexts.reasons
        case .japanese: JapaneseTexts.reasons
        case .french: FrenchTexts.reasons
        case .spanish: SpanishTexts.reasons
        case .simplifiedChinese: SimplifiedChineseTexts.reasons
        }
    }

    package var viewTexts: [String: String] {
        switch self {
        case .english: StatusCard.english
        case .german: GermanTexts.views
        case .korean: KoreanTexts.views
        case .japanese: JapaneseTexts.views
        case .french: FrenchTexts.views
        case .spanish: SpanishTexts.views
        case .simplifiedChinese: SimplifiedChineseTexts.views
        }
    }

    /// The user's languages, most preferred first.
    private static var ofUser: [String] {
        #if canImport(Darwin)
            Locale.preferredLanguages
        #else
            // Foundation on Linux doesn't read the variables of the environment.
            ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]
                .compactMap { ProcessInfo.processInfo.environment[$0] }
                .flatMap { $0.split(atByte: ":").map(String.init) }
        #endif
    }
}

/// What happened and what to do about it, in one language.
package struct TextPair: Sendable, Hashable {
    /// What happened; `{name}` is replaced by the evidence of that name.
    package let message: String
    /// The remedy; `{name}` is replaced by the evidence of that name.
    package let cure: String

    init(_ message: String, _ cure: String) {
        self.message = message
        self.cure = cure
    }
}
