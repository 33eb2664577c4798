package import TenureCore
package import TenureHTTP

/// A language that pages are written in.
package typealias PageLanguage = Language

extension Language {
    /// The language's name in itself.
    package var ownName: String {
        switch self {
        case .english: "English"
        case .korean: "한국어"
        }
    }

    /// Chooses the language that a client prefers (RFC 9110, §12.5.4).
    /// - Parameter fallback: The language for a client that accepts none of them, if it's one of them; by default the
    ///   first.
    package init(accepting field: String?, of languages: [Language], else fallback: Language? = nil) {
        let ranges = (field ?? "").split(separator: ",").prefix(Self.mostRanges).compactMap { range in
            Self.range(range, of: languages)
        }
        // Of several ranges with the highest weight, the first wins.
        let best = ranges.reduce(nil as (language: Language, weight: Int)?) { best, range in
            range.weight > best?.weight ?? 0 ? range : best
        }
        let standard = fallback.flatMap { languages.contains($0) ? $0 : nil } ?? languages.first ?? .english
        self = best?.language ?? standard
    }

    /// Parses one range; `nil` if its language isn't available.
    ///
    /// The weight is in thousandths; 0 means "not acceptable".
    private static func range(
        _ text: Substring, of languages: [PageLanguage]
    ) -> (language: PageLanguage, weight: Int)? {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard let tag = parts.first, let code = tag.split(separator: "-").first,
            let language = PageLanguage(rawValue: String(code)), languages.contains(language)
        else { return nil }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        return (language, Int(max(0, min(1, weight)) * 1000))
    }

    private static let mostRanges = 32
}

extension PageFrame {
    /// The query parameter for a language that the person chose.
    private static let choice = "lang"

    /// The same frame in the language of a request.
    ///
    /// That is the language in the URL, else the one that the browser prefers, else the tenant's.
    package func speaking(to request: Request, else tenants: Language? = nil) -> PageFrame {
        var frame = self
        let chosen = QueryItems(request.query)?[Self.choice].flatMap { PageLanguage(rawValue: $0) }
        if let chosen, site.languages.contains(chosen) {
            frame.language = chosen
            frame.isLanguageChosen = true
        } else {
            frame.language = PageLanguage(
                accepting: request.headers["Accept-Language"], of: site.languages, else: tenants)
        }
        return frame
    }

    /// The same page in another language.
    func path(in language: PageLanguage) -> PagePath {
        PagePath(site.place(of: tenant) + here, query: [("lang", language.rawValue)])
    }
}

/// A text in every language; they are written side by side, so that none is forgotten.
package struct Spoken: Sendable, Hashable {
    let english: String
    let korean: String

    /// Creates a text from its translations.
    package init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    /// The text in a language.
    package func callAsFunction(in language: PageLanguage) -> String {
        switch language {
        case .english: english
        case .korean: korean
        }
    }
}
