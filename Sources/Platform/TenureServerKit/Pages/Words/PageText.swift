import TenureCore

/// The sentences of a group of pages, by code.
///
/// Each language has one table of texts. If a language lacks a text, the English text is shown. A test fails for every
/// missing text.
package protocol PageText: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The words for every code in a language.
    static func words(in language: PageLanguage) -> [Self: Wording]
}

extension PageText {
    /// The sentence in a language.
    ///
    /// Values aren't searched for placeholders, so a text from a person can't insert another value.
    ///
    /// - Parameters:
    ///   - count: The number that selects the singular or plural, and replaces `{count}`.
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

    /// The sentence in a language, with markup instead of some placeholders.
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

    /// The paragraphs of the sentence, which are its lines.
    package func paragraphs(
        in language: PageLanguage, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]
    ) -> [String] {
        // No value contains a line break, because names in the catalog and names of devices have no control
        // characters.
        self(in: language, count: count, values).split(atByte: "\n").map(String.init)
    }

    private func wording(in language: PageLanguage) -> Wording {
        Self.words(in: language)[self] ?? Self.words(in: .english)[self] ?? Wording(stringLiteral: rawValue)
    }

    private static func value(_ name: String, _ count: Int?, _ values: KeyValuePairs<String, String>) -> String? {
        values.first { $0.key == name }?.value ?? (name == "count" ? count.map(String.init) : nil)
    }

    /// The sentence in all languages, for code that doesn't know the page's language yet.
    package func spoken(_ values: KeyValuePairs<String, String> = [:]) -> Spoken {
        Spoken { self(in: $0, values) }
    }
}

/// A text in every language of the pages.
///
/// Each text is looked up when it's shown, because building the tables of all pages would delay the server's start.
package struct Spoken: Sendable {
    private let text: @Sendable (PageLanguage) -> String

    /// Creates a text from a function that returns it in each language.
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
