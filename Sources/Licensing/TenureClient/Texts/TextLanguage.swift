import Foundation

/// A language in which the client explains a license.
package enum TextLanguage: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case german = "de"
    case korean = "ko"
    case japanese = "ja"

    /// Chooses the first language that the client has; English if it has none of them.
    ///
    /// - Parameter preferred: Language tags such as `de-AT`, most preferred first; empty for the user's languages.
    package init(preferring preferred: [String]) {
        let tags = preferred.isEmpty ? Self.ofUser : preferred
        let chosen = tags.lazy.compactMap { tag in
            TextLanguage(rawValue: tag.lowercased().split { !$0.isLetter }.first.map(String.init) ?? "")
        }
        self = chosen.first ?? .english
    }

    /// The translations of this language; empty for English, in which the reasons are written.
    package var texts: [String: TextPair] {
        switch self {
        case .english: [:]
        case .german: TextPair.german
        case .korean: TextPair.korean
        case .japanese: TextPair.japanese
        }
    }

    /// The texts of views in this language, by name.
    package var viewTexts: [String: String] {
        switch self {
        case .english: StatusCard.english
        case .german: StatusCard.german
        case .korean: StatusCard.korean
        case .japanese: StatusCard.japanese
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
                .flatMap { $0.split(separator: ":").map(String.init) }
        #endif
    }
}

/// What happened and what to do about it, in one language.
package struct TextPair: Sendable, Hashable {
    /// What happened; `{name}` is replaced by the evidence of that name.
    package let message: String
    /// What to do about it.
    package let cure: String

    init(_ message: String, _ cure: String) {
        self.message = message
        self.cure = cure
    }
}
