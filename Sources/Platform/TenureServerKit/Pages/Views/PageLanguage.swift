package import TenureCore

/// A language in which pages can be shown.
package typealias PageLanguage = Language

extension Language {
    /// The language's name in that language.
    package var ownName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        case .korean: "한국어"
        case .japanese: "日本語"
        case .french: "Français"
        case .spanish: "Español"
        case .simplifiedChinese: "简体中文"
        }
    }

    /// Returns the text in parentheses, for use after another text.
    ///
    /// In Chinese and Japanese, the parentheses have full width and no space before them.
    package func aside(_ text: String) -> String {
        switch self {
        case .simplifiedChinese, .japanese: "（\(text)）"
        case .english, .german, .korean, .french, .spanish: " (\(text))"
        }
    }

    /// Chooses the available language that a client prefers (RFC 9110, §12.5.4).
    ///
    /// - Parameters:
    ///   - field: The `Accept-Language` header.
    ///   - languages: The available languages.
    ///   - fallback: The language for a client that accepts none of the available languages. If it's `nil` or not
    ///     available, the first available language is used.
    package init(accepting field: String?, of languages: [Language], else fallback: Language? = nil) {
        let ranges = HeaderText.elements(of: [field ?? ""]).prefix(Self.mostRanges).compactMap(Self.range)
            .filter { $0.weight > 0 }
        let named = zip(Self.named(by: ranges.map(\.tag)), ranges).compactMap { language, range in
            language.flatMap { languages.contains($0) ? (language: $0, weight: range.weight) : nil }
        }
        // If several ranges have the highest weight, the first of them wins.
        let best = named.reduce(nil as (language: Language, weight: Int)?) { best, range in
            range.weight > best?.weight ?? 0 ? range : best
        }
        let standard = fallback.flatMap { languages.contains($0) ? $0 : nil } ?? languages.first ?? .english
        self = best?.language ?? standard
    }

    /// Parses one language range; `nil` if the range is empty.
    ///
    /// The weight is in thousandths. A weight of 0 means that the client doesn't accept the language.
    private static func range(_ text: Substring) -> (tag: String, weight: Int)? {
        let (tag, parameters) = HeaderText.parameters(of: text)
        if tag.isEmpty { return nil }
        let weight = parameters["q"].map { Double($0) ?? 0 } ?? 1
        return (tag, Int(max(0, min(1, weight)) * 1000))
    }

    private static let mostRanges = 32
}
