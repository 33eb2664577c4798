import TenureCore

/// The sentences of a group of pages, by code.
///
/// Each language has one table of texts. A code without a text in a language is shown in English; a test fails
/// if there is one.
package protocol PageText: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The words of every code in a language.
    static func words(in language: PageLanguage) -> [Self: Wording]
}

extension PageText {
    /// The sentence in a language.
    ///
    /// Values aren't searched for placeholders, so a person's text can't insert another value.
    ///
    /// - Parameters:
    ///   - count: The number that decides between singular and plural, and replaces `{count}`.
    ///   - values: The values of the other placeholders, by name.
    package func callAsFunction(
        in language: PageLanguage, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]
    ) -> String {
        wording(in: language).pieces(count: count).map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let name): Self.value(name, count, values) ?? "{\(name)}"
            }
        }.joined()
    }

    /// The sentence in a language, with markup in place of some of its placeholders.
    package func markup(
        in language: PageLanguage, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:],
        with markup: KeyValuePairs<String, Markup>
    ) -> Markup {
        .sequence(
            wording(in: language).pieces(count: count).map { piece in
                switch piece {
                case .text(let text): .text(text)
                case .placeholder(let name):
                    markup.first { $0.key == name }?.value ?? .text(Self.value(name, count, values) ?? "{\(name)}")
                }
            })
    }

    /// The lines of the sentence, which are its paragraphs.
    package func paragraphs(
        in language: PageLanguage, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]
    ) -> [String] {
        // No value contains a line break: catalog and device names have no control characters.
        self(in: language, count: count, values).split(atByte: "\n").map(String.init)
    }

    private func wording(in language: PageLanguage) -> Wording {
        Self.words(in: language)[self] ?? Self.words(in: .english)[self] ?? Wording(stringLiteral: rawValue)
    }

    private static func value(_ name: String, _ count: Int?, _ values: KeyValuePairs<String, String>) -> String? {
        values.first { $0.key == name }?.value ?? (name == "count" ? count.map(String.init) : nil)
    }

    /// The sentence in all languages, for code that doesn't know the language yet.
    package func spoken(_ values: KeyValuePairs<String, String> = [:]) -> Spoken {
        Spoken { self(in: $0, values) }
    }
}

/// A text in every language of the pages.
///
/// It's looked up when it's shown, because building the tables of all pages would delay the server's start.
package struct Spoken: Sendable {
    private let text: @Sendable (PageLanguage) -> String

    /// Creates a text from its version in each language.
    init(_ text: @escaping @Sendable (PageLanguage) -> String) { self.text = text }

    package func callAsFunction(in language: PageLanguage) -> String { text(language) }
}

extension Spoken: Hashable {
    /// Compares the texts in all languages.
    package static func == (one: Spoken, other: Spoken) -> Bool {
        PageLanguage.allCases.allSatisfy { language in one(in: language) == other(in: language) }
    }

    /// Hashes the texts in all languages.
    package func hash(into hasher: inout Hasher) {
        for language in PageLanguage.allCases { hasher.combine(self(in: language)) }
    }
}
